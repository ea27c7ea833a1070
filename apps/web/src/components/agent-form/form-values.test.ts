import { addScheme, defaultSiteConfig } from '@agent-registry/contracts';
import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { describe, expect, test } from 'vitest';
import {
  initialValues,
  joinPastedLines,
  mergeValues,
  parseCapabilities,
  parseFormValues,
  readFormData,
  toFormErrors,
  toFormValues,
  toNewAgentInput,
  toPatch,
  validate,
  validateEdit,
  type RegisterFormValues,
} from './form-values.ts';

const values: RegisterFormValues = {
  ...initialValues,
  name: 'Front Desk',
  description: 'Answers the phone.',
  category: 'chatbot',
  contactEmail: 'owner@example.com',
};

test.each([
  ['', []],
  ['  ', []],
  ['chat', ['chat']],
  [' chat ,voice,  call  booking ', ['chat', 'voice', 'call  booking']],
  ['chat,, ,voice,', ['chat', 'voice']],
  ['OCR, chat, ocr, Chat', ['OCR', 'chat']],
  ['chat; voice', ['chat', 'voice']],
])('the capabilities %j are %j', (text, capabilities) => {
  expect(parseCapabilities(text)).toEqual(capabilities);
});

test.each([
  ['Summaries, short, voice', ['Summaries, short', 'voice']],
  ['voice,Summaries,short, new', ['voice', 'Summaries, short', 'new']],
  ['Summaries, long', ['Summaries', 'long']],
  ['short, Summaries', ['short', 'Summaries']],
])('of an agent with a capability that has a comma, %j are %j', (text, capabilities) => {
  expect(parseCapabilities(text, ['Summaries', 'Summaries, short'])).toEqual(capabilities);
});

test.each([
  ['chat\nvoice\r\n\r\ncalls ', 'chat, voice, calls'],
  ['chat; voice;', 'chat, voice'],
  ['chat, voice', 'chat, voice'],
])('the pasted list %j becomes %j', (text, line) => {
  expect(joinPastedLines(text)).toBe(line);
});

test.each([
  ['example.com', 'https://example.com'],
  [' example.com:8080/agent?x=1 ', 'https://example.com:8080/agent?x=1'],
  ['http://example.com', 'http://example.com'],
  ['', ''],
  ['marmot', 'marmot'],
  ['javascript:alert(1.5)', 'javascript:alert(1.5)'],
  ['mailto:a@example.com', 'mailto:a@example.com'],
  ['first.last@example.com', 'first.last@example.com'],
])('the website %j is sent as %j', (typed, sent) => {
  expect(addScheme(typed)).toBe(sent);
});

describe('validation', () => {
  test('accepts a complete form', () => {
    expect(validate(values)).toEqual({});
  });

  test('requires name, description, category and contact email', () => {
    expect(validate(initialValues)).toEqual({
      name: 'Name is required',
      description: 'Description is required',
      category: 'Category is required',
      contactEmail: 'Contact email is required',
    });
  });

  test.each([
    ['name', 'n'.repeat(101), 'Name can have at most 100 characters'],
    ['name', '\0'.repeat(101), 'Name can have at most 100 characters'],
    ['contactEmail', 'owner', 'Contact email must be an address such as name@example.com'],
    [
      'website',
      'javascript:alert(1)',
      'Website must be an http or https address without a user name, such as https://example.com',
    ],
    [
      'website',
      'http://127.1:3000',
      'Website must be an address that others can reach, not localhost or a loopback address',
    ],
    ['website', 'https://example.com/\u202E', 'Website must not have characters that change the direction of writing'],
    ['capabilities', `chat,${'c'.repeat(61)}`, 'Each capability can have at most 60 characters'],
    ['exampleTasks', 'Book a table.\nToo short', 'Each example task must have at least 10 characters'],
    [
      'capabilities',
      Array.from({ length: 31 }, (_, index) => `chat ${index}`).join(),
      'An agent can have at most 30 capabilities',
    ],
    ['connections', 'npm tides', 'Line 1: this npm package has no exact version: write tides@1.2.3'],
    [
      'connections',
      'https://a.example/mcp\na2a https://a.example/\n- X: x',
      'Line 2: this agent card cannot have headers or variables',
    ],
  ])('puts the first message of %s on that field', (field, value, message) => {
    expect(validate({ ...values, [field]: value })).toEqual({ [field]: message });
  });
});

test.each([
  ['connections[0].kind must be one of mcp, a2a', 'Connection 1: the kind must be one of mcp, a2a'],
  ['connections[1] must not have the fields x', 'Connection 2: it must not have the fields x'],
  ['connections[1].headers[0].name must be a name', 'Connection 2: the name of header 1 must be a name'],
  ['connections can have at most 8 entries', 'The connections can have at most 8 entries'],
])('%s is said in words', (message, connections) => {
  expect(toFormErrors([{ field: 'connections.0.kind', message }])).toEqual({ connections });
});

test('no value of a header is read from a draft or a submitted form', () => {
  const connections = 'https://a.example.com/mcp\nX-Key: sk-live-4711';
  const kept = { connections: 'https://a.example.com/mcp\n- X-Key' };
  expect(parseFormValues({ connections }, defaultSiteConfig.categories)).toEqual(kept);
  expect(readFormData(new URLSearchParams({ connections }))).toMatchObject(kept);
});

test('the input of a registration has lists of capabilities and of example tasks', () => {
  const exampleTasks = ' Book a table, for four. \n\nCall me back.';
  expect(toNewAgentInput({ ...values, capabilities: 'chat, voice', exampleTasks, website: 'example.com' })).toEqual({
    ...values,
    capabilities: ['chat', 'voice'],
    exampleTasks: ['Book a table, for four.', 'Call me back.'],
    connections: [],
    website: 'https://example.com',
  });
});

describe('the values of an agent that is edited', () => {
  const agent = makeAgent({ capabilities: ['Summaries, short', 'voice'], website: null });

  test('change only the fields that were edited', () => {
    const values = toFormValues(agent);
    expect(toPatch(agent, values)).toEqual({});
    expect(toPatch(agent, { ...values, name: 'New', website: 'new.example', capabilities: 'voice' })).toEqual({
      name: 'New',
      website: 'https://new.example',
      capabilities: ['voice'],
    });
    const tasks = makeAgent({ exampleTasks: ['Book a table.', 'Call me back.'] });
    expect(toPatch(tasks, toFormValues(tasks))).toEqual({});
    expect(toPatch(tasks, { ...toFormValues(tasks), exampleTasks: '\n' })).toEqual({ exampleTasks: [] });
    const withKey = { ...values, name: 'New', key: 'typed' };
    expect(toPatch(agent, withKey)).toEqual({ name: 'New' });
  });

  test('are validated where they were edited, since the rules for the others may have changed', () => {
    const old = makeAgent({ name: 'x'.repeat(101), capabilities: Array.from({ length: 29 }, (_, n) => `a, ${n}`) });
    const values = toFormValues(old);
    expect(validateEdit(old, { ...values, description: 'New.', capabilities: `${values.capabilities}, new` })).toEqual(
      {},
    );
    expect(validateEdit(old, { ...values, description: '' })).toEqual({ description: 'Description is required' });
    expect(validateEdit(old, { ...values, name: 'x'.repeat(102) })).toHaveProperty('name');
  });

  test('take over what others have changed meanwhile, but for edited fields', () => {
    const earlier = toFormValues(agent);
    const edited = { ...earlier, name: 'Mine' };
    const latest = { ...earlier, name: 'Theirs', description: 'Theirs.' };
    expect(mergeValues(earlier, edited, latest)).toEqual({ ...latest, name: 'Mine' });
  });
});
