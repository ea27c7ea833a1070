import { describe, expect, test } from 'vitest';
import { initialValues, type RegisterFormValues } from './form-values.ts';
import { parseCapabilities, toNewAgent, validate } from './validation.ts';

const values: RegisterFormValues = {
  ...initialValues,
  name: 'Front Desk',
  description: 'Answers the phone.',
  category: 'chatbot',
  contactEmail: 'owner@example.com',
};

test('the form begins empty, free and without an API', () => {
  const { pricingModel, apiAccess, ...rest } = initialValues;
  expect({ pricingModel, apiAccess }).toEqual({ pricingModel: 'free', apiAccess: 'no' });
  expect(new Set(Object.values(rest))).toEqual(new Set(['']));
});

test.each([
  ['', []],
  ['  ', []],
  ['chat', ['chat']],
  [' chat ,voice,  call  booking ', ['chat', 'voice', 'call  booking']],
])('the capabilities %j are %j', (text, capabilities) => {
  expect(parseCapabilities(text)).toEqual(capabilities);
});

describe('validation', () => {
  test('has nothing to say of a form that is filled in', () => {
    expect(validate(values)).toEqual({});
  });

  test('says of each required field that it is required', () => {
    expect(validate(initialValues)).toEqual({
      name: 'Name is required',
      description: 'Description is required',
      category: 'Category is required',
      contactEmail: 'Contact email is required',
    });
  });

  test.each([
    ['name', 'n'.repeat(101), 'Name can have at most 100 characters'],
    ['description', 'd'.repeat(2_001), 'Description can have at most 2,000 characters'],
    ['contactEmail', 'owner', 'Contact email must be an address such as name@example.com'],
    [
      'website',
      'javascript:alert(1)',
      'Website must be an http or https address without a user name, such as https://example.com',
    ],
    ['capabilities', `chat,${'c'.repeat(61)}`, 'Each capability can have at most 60 characters'],
    ['capabilities', Array(31).fill('chat').join(), 'An agent can have at most 30 capabilities'],
    ['name', '\0'.repeat(101), 'Name can have at most 100 characters'],
  ])('puts the first message of %s on that field', (field, value, message) => {
    expect(validate({ ...values, [field]: value })).toEqual({ [field]: message });
  });
});

test('a registration is trimmed, has a list of capabilities and null for no website', () => {
  expect(toNewAgent({ ...values, name: ' Front Desk ', capabilities: 'chat,, voice,' })).toEqual({
    ...values,
    capabilities: ['chat', 'voice'],
    website: null,
  });
});
