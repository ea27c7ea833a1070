import { expect, test } from 'vitest';
import { startTestApp } from '../../testing/test-app.ts';

test('security.txt names the contact of the operator, and is valid for less than a year', async () => {
  const SECURITY_CONTACT = 'mailto:security@registry.example';
  const app = await startTestApp({ SECURITY_CONTACT, PUBLIC_URL: 'https://registry.example' });
  const response = await fetch(`${app.url}/.well-known/security.txt`);
  expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  const lines = (await response.text()).trimEnd().split('\n');
  const fields = Object.fromEntries(lines.map((line) => line.split(/: (.*)/, 2)));
  expect(fields).toEqual({
    Contact: SECURITY_CONTACT,
    Expires: expect.stringMatching(/^\d{4}-\d\d-\d\dT00:00:00Z$/),
    'Preferred-Languages': 'en',
    Canonical: 'https://registry.example/.well-known/security.txt',
  });
  const days = (Date.parse(fields.Expires) - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(90);
  expect(days).toBeLessThan(365);
  await app.close();
});

test('without a contact there is no security.txt', async () => {
  const app = await startTestApp();
  expect((await fetch(`${app.url}/.well-known/security.txt`)).status).toBe(404);
  await app.close();
});
