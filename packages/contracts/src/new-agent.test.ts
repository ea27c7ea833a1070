import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { defaultCategories } from './category.ts';
import { optionFields, valuesOf } from './fields.ts';
import { createNewAgentSchema, optionalText } from './new-agent.ts';

const newAgentSchema = createNewAgentSchema(defaultCategories);

const required = {
  name: 'Front Desk',
  description: 'Answers the phone.',
  category: 'chatbot',
  contactEmail: 'owner@example.com',
};

const parse = (fields: object) => newAgentSchema.parse({ ...required, ...fields });

/** The field and the message of each issue of a registration. */
function refusals(fields: object): string[] {
  const { error } = newAgentSchema.safeParse({ ...required, ...fields });
  return (error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`);
}

test('fields with defaults may be left out', () => {
  expect(parse({})).toEqual({
    ...required,
    capabilities: [],
    website: null,
    pricingModel: 'free',
    apiAccess: 'no',
  });
});

test.each(['tides', 'high-tides-2', 'a', 'x'.repeat(60)])('the name of an MCP server can be %s', (serverName) => {
  expect(parse({ serverName: ` ${serverName} ` })).toMatchObject({ serverName });
});

test.each(['Tides', 'high_tides', '-tides', 'tides-', 'a/b', 'a.b', 'tïdes', '${x}', 7, ['a']])(
  'the name of an MCP server cannot be %j',
  (serverName) => {
    expect(refusals({ serverName })).toEqual([
      'serverName: MCP server name must be lower-case letters and digits with hyphens between, such as high-tides',
    ]);
  },
);

test('an empty name of an MCP server is none, and a long one is refused', () => {
  expect(parse({ serverName: ' ' }).serverName).toBeUndefined();
  expect(refusals({ serverName: 'x'.repeat(61) })).toEqual([
    'serverName: MCP server name can have at most 60 characters',
  ]);
});

describe('bounds', () => {
  test.each([
    { field: 'name', max: 100, message: 'Name can have at most 100 characters', grow: (n: number) => 'n'.repeat(n) },
    {
      field: 'description',
      max: 2_000,
      message: 'Description can have at most 2,000 characters',
      grow: (n: number) => 'd'.repeat(n),
    },
    {
      field: 'contactEmail',
      max: 254,
      message: 'Contact email can have at most 254 characters',
      grow: (n: number) => 'owner@example.com'.padStart(n, 'o'),
    },
    {
      field: 'website',
      max: 2_048,
      message: 'Website can have at most 2,048 characters',
      grow: (n: number) => 'https://example.com/'.padEnd(n, 'w'),
    },
  ])('$field may have $max characters after trimming, and not one more', ({ field, max, message, grow }) => {
    expect(parse({ [field]: ` \t${grow(max)} \n` })).toHaveProperty(field, grow(max));
    expect(refusals({ [field]: grow(max + 1) })).toEqual([`${field}: ${message}`]);
  });

  test.each(['🤖', '👨‍👩‍👧‍👦', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', 'e\u0301', 'क्षि', 'ต่ำ'])(
    'a name may have 100, a capability 60 and a description 500 characters %s, and a name not one more',
    (character) => {
      const [name, capability, description] = [100, 60, 500].map((count) => character.repeat(count));
      expect(parse({ name, description, capabilities: [capability] })).toMatchObject({ name, description });
      expect(refusals({ name: character.repeat(101), capabilities: [character.repeat(61)] })).toEqual([
        'name: Name can have at most 100 characters',
        'capabilities.0: Each capability can have at most 60 characters',
      ]);
    },
  );

  test('the length of characters is bounded, in each text and in all capabilities together', () => {
    const fault = 'must have fewer letters and emoji that are made of several parts';
    expect(refusals({ capabilities: [Array(400).fill('👩').join('\u200D')] })).toEqual([
      `capabilities.0: Each capability ${fault}`,
    ]);
    expect(refusals({ name: Array(600).fill('👩').join('\u200D') })).toEqual([`name: Name ${fault}`]);
    expect(refusals({ description: '👩‍💻'.repeat(1_601) })).toEqual([`description: Description ${fault}`]);
    const capabilities = Array.from({ length: 30 }, () => '👩‍💻'.repeat(54));
    expect(refusals({ capabilities })).toEqual([`capabilities: Capabilities ${fault}`]);
    expect(refusals({ capabilities: capabilities.slice(1) })).toEqual([]);
  });

  test('the longest registration fits into a request body of 64 KiB', () => {
    const longest = {
      ...required,
      name: 'अ\u0901\u0901\u0901\u0901\u0901\u0901\u0901\u0901'.repeat(100),
      description: '\u1021\u103D\u103E\u102F'.repeat(2_000),
      capabilities: Array(30).fill('\u1021\u103D\u103E\u102F'.repeat(60)),
      exampleTasks: Array(5).fill('\u1021\u103D\u103E\u102F'.repeat(120)),
      website: `https://example.com/${'a'.repeat(2_028)}`,
      contactEmail: 'owner@example.com'.padStart(254, 'o'),
    };
    expect(refusals(longest)).toEqual([]);
    expect(new TextEncoder().encode(JSON.stringify(longest)).length).toBeLessThan(65_536);
  });

  test('a capability may have 60 characters after trimming, and not one more', () => {
    expect(parse({ capabilities: [` ${'c'.repeat(60)} `] }).capabilities).toEqual(['c'.repeat(60)]);
    expect(refusals({ capabilities: ['chat', 'c'.repeat(61)] })).toEqual([
      'capabilities.1: Each capability can have at most 60 characters',
    ]);
  });

  test('an agent may have 30 capabilities, and not one more', () => {
    const capabilities = Array.from({ length: 30 }, (_, index) => `capability ${index}`);
    expect(parse({ capabilities }).capabilities).toEqual(capabilities);
    expect(refusals({ capabilities: [...capabilities, 'one more'] })).toEqual([
      'capabilities: An agent can have at most 30 capabilities',
    ]);
  });

  test('an example task has 10 to 120 characters as people see them, after trimming, on one line', () => {
    for (const task of ['t'.repeat(10), 't'.repeat(120), '👩‍💻'.repeat(10), 'क्षि'.repeat(120)]) {
      expect(parse({ exampleTasks: [` ${task} `] }).exampleTasks).toEqual([task]);
    }
    const faults = [
      ['t'.repeat(9), 'must have at least 10 characters'],
      ['👩‍💻'.repeat(9), 'must have at least 10 characters'],
      ['t'.repeat(121), 'can have at most 120 characters'],
      ['Book a table\nfor four.', 'must be one line'],
      ['Book a \u2060table.', 'must not have the invisible character U+2060'],
    ] as const;
    for (const [task, fault] of faults) {
      expect(refusals({ exampleTasks: ['Book a table.', task] })).toEqual([
        `exampleTasks.1: Each example task ${fault}`,
      ]);
    }
  });

  test('an agent may have five example tasks, of bounded length in all, and an empty list is left out', () => {
    const exampleTasks = Array.from({ length: 5 }, (_, index) => `Do this for me: ${index}`);
    expect(parse({ exampleTasks: [...exampleTasks, ' ', ''] }).exampleTasks).toEqual(exampleTasks);
    expect(refusals({ exampleTasks: [...exampleTasks, 'And one more.'] })).toEqual([
      'exampleTasks: An agent can have at most 5 example tasks',
    ]);
    expect(refusals({ exampleTasks: Array(5).fill('👩‍💻'.repeat(120)) })).toEqual([
      'exampleTasks: Example tasks must have fewer letters and emoji that are made of several parts',
    ]);
    expect(refusals({ exampleTasks: 'Book a table.' })).toEqual([
      'exampleTasks: Example tasks must be a list of texts',
    ]);
    expect(JSON.stringify(parse({ exampleTasks: ['', ' '] }))).toBe(JSON.stringify(parse({})));
  });

  test('too many capabilities are refused by their number, before each is checked', () => {
    for (const entry of [1, null, 'c'.repeat(61)]) {
      expect(refusals({ capabilities: Array(30_000).fill(entry) })).toEqual([
        'capabilities: An agent can have at most 30 capabilities',
      ]);
    }
  });

  test('blank capabilities are dropped before they are counted', () => {
    const capabilities = Array.from({ length: 30 }, (_, index) => `capability ${index}`);
    expect(parse({ capabilities: ['', ...capabilities, ' \t', '\u200B'] }).capabilities).toEqual(capabilities);
  });
});

describe('required fields', () => {
  test.each([
    ['name', 'Name is required'],
    ['description', 'Description is required'],
    ['category', 'Category is required'],
    ['contactEmail', 'Contact email is required'],
  ])('%s is refused when missing and when empty, with one message', (field, message) => {
    expect(refusals({ [field]: undefined })).toEqual([`${field}: ${message}`]);
    expect(refusals({ [field]: '' })).toEqual([`${field}: ${message}`]);
  });

  test.each([
    ['name', 'Name is required'],
    ['description', 'Description is required'],
    ['contactEmail', 'Contact email is required'],
  ])('%s of blanks counts as missing', (field, message) => {
    expect(refusals({ [field]: ' \t\n\u00A0' })).toEqual([`${field}: ${message}`]);
  });

  test.each([
    ['name', 5, 'name: Name must be text'],
    ['name', null, 'name: Name must be text'],
    ['description', ['text'], 'description: Description must be text'],
    ['contactEmail', {}, 'contactEmail: Contact email must be text'],
    ['website', true, 'website: Website must be text'],
    ['capabilities', 'chat, voice', 'capabilities: Capabilities must be a list of texts'],
    ['capabilities', ['chat', 7], 'capabilities.1: Each capability must be text'],
  ])('%s of another type (%j) is refused, not converted', (field, value, refusal) => {
    expect(refusals({ [field]: value })).toEqual([refusal]);
  });

  test.each([null, undefined, 'text', 5, [required]])('%j instead of an object is refused', (value) => {
    expect(newAgentSchema.safeParse(value).error?.issues.map(({ message }) => message)).toEqual([
      'The agent must be a JSON object',
    ]);
  });
});

describe('unknown fields', () => {
  test.each(['id', 'rating', 'reviewCount', 'createdAt', 'terms', 'constructor', 'toString'])(
    '%s is refused by name',
    (field) => {
      expect(refusals({ [field]: 'x' })).toEqual([`: These fields are not accepted: ${field}`]);
    },
  );

  test('the first ten are named and the rest are counted', () => {
    const fields = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`x${index}`, 1]));
    expect(refusals(fields)).toEqual([
      ': These fields are not accepted: x0, x1, x2, x3, x4, x5, x6, x7, x8, x9 and 2 more',
    ]);
  });

  test('a long name is cut at 40 characters', () => {
    expect(refusals({ ['x'.repeat(41)]: 1 })).toEqual([`: These fields are not accepted: ${'x'.repeat(40)}…`]);
    expect(refusals({ ['🤖'.repeat(41)]: 1 })).toEqual([`: These fields are not accepted: ${'🤖'.repeat(40)}…`]);
  });

  test('line breaks, direction overrides and lone surrogates in a name are replaced', () => {
    expect(refusals({ 'a\r\n\u2028\u202E\uD800b': 1 })).toEqual([
      `: These fields are not accepted: a${'\u{FFFD}'.repeat(5)}b`,
    ]);
  });
});

describe('characters', () => {
  test.each(['Помощник', '自動翻訳', 'مساعد', '🤖', 'C++', '¿?', 'e\u0301clair', 'A\u200DB'])(
    'a name may be %s',
    (name) => {
      expect(parse({ name }).name).toBe(name);
    },
  );

  test('a description may have line breaks and tabs', () => {
    expect(parse({ description: 'one\r\n\ttwo\rthree' }).description).toBe('one\n\ttwo\nthree');
  });

  test.each(
    ['\u0000', '\u0008', '\u001B', '\u007F', '\u202E', '\u2060', '\u{E0041}', '\uFFFE', '\uD800', '\uDFFF'].flatMap(
      (character) => [
        { code: codeOf(character), field: 'name', value: `a${character}b`, at: 'name: Name' },
        { code: codeOf(character), field: 'description', value: `a${character}b`, at: 'description: Description' },
        {
          code: codeOf(character),
          field: 'capabilities',
          value: ['chat', `a${character}b`],
          at: 'capabilities.1: Each capability',
        },
        {
          code: codeOf(character),
          field: 'website',
          value: `https://example.com/${character}`,
          at: 'website: Website',
        },
      ],
    ),
  )('$code in $field is refused', ({ code, field, value, at }) => {
    // A website has sentences of its own for these.
    const isOther = field === 'website' && /[\p{Cc}\p{Cs}\u202E]/u.test(String(value));
    expect(refusals({ [field]: value })).toEqual([
      isOther
        ? expect.stringMatching(/^website: Website must /)
        : `${at} must not have the invisible character ${code}`,
    ]);
  });

  test.each([
    ['a line break', '\n', 'must be one line'],
    ['a return', '\r', 'must be one line'],
    ['a line separator', '\u2028', 'must be one line'],
    ['a tab', '\t', 'must not have the invisible character U+0009'],
    ['an embedding', '\u202A', 'must not have the invisible character U+202A'],
    ['an isolate', '\u2066', 'must not have the invisible character U+2066'],
  ])('%s is refused in a name and in a capability, and accepted in a description', (_what, character, fault) => {
    expect(parse({ description: `a${character}b` }).description).toBe(`a${character}b`.replace('\r', '\n'));
    expect(refusals({ name: `a${character}b` })).toEqual([`name: Name ${fault}`]);
    expect(refusals({ capabilities: [`a${character}b`] })).toEqual([`capabilities.0: Each capability ${fault}`]);
  });

  test.each([
    ['zero width spaces', '\u200B\u200B'],
    ['soft hyphens and word joiners', '\u00AD\u2060'],
    ['an accent over nothing', '\u0301'],
    ['a variation selector', '\uFE0F'],
    ['a tag', '\u{E0041}'],
    ['marks of direction', '\u200E\u200F'],
    ['Hangul fillers', '\u3164\u115F\u1160'],
    ['halfwidth Hangul fillers', '\uFFA0'],
    ['blank Braille patterns', '\u2800'],
  ])('a name and a description of %s alone are refused', (_what, text) => {
    expect(refusals({ name: text, description: text })).toEqual([
      'name: Name must have visible characters',
      'description: Description must have visible characters',
    ]);
  });

  function codeOf(character: string): string {
    return `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
  }
});

describe('contact email', () => {
  test.each([
    'a@example.com',
    'First.Last+tag@sub.example.co.uk',
    "o'neil@example.com",
    'x_1-y@example.museum',
    'team&co@example.com',
    'info@xn--80a1acny.xn--p1ai',
    'kontakt@xn--bcher-kva.example',
    '{sales}=#1%@example.com',
    'a?cc=b@example.com',
    'a@1.example.x',
    `${'a'.repeat(65)}@example.com`,
  ])('%s is accepted as it is', (contactEmail) => {
    expect(parse({ contactEmail }).contactEmail).toBe(contactEmail);
  });

  test.each([
    'plain',
    '@example.com',
    'a@',
    'a@localhost',
    'a b@example.com',
    'a..b@example.com',
    '.a@example.com',
    'a.@example.com',
    'a@example..com',
    'a@.example.com',
    'a@example.com.',
    'a@-example.com',
    'a@exa_mple.com',
    `a@${'b'.repeat(64)}.example.com`,
    'mailto:a@example.com',
    'a@example.com, b@example.com',
    'a@example.com?bcc=b@example.com',
    'a@example.com\nBcc: b@example.com',
    'a@exam\u0000ple.com',
    'a%0Abcc:x@example.com',
    'a;b@example.com',
    '"a b"@example.com',
    'info@пример.рф',
    'a@[192.0.2.1]',
  ])('%j is refused', (contactEmail) => {
    expect(refusals({ contactEmail })).toEqual([
      'contactEmail: Contact email must be an address such as name@example.com',
    ]);
  });

  test('is what HTML accepts, of a domain with a dot and without dots that mail servers refuse', () => {
    const rule = z.regexes.html5Email;
    const part = fc.stringMatching(/^[-.\w+&'#?=%/{~!`^|*$@ ,;:<"\\ü]{0,8}$/);
    const label = fc.stringMatching(/^[a-zA-Z\d](?:[a-zA-Z\d-]{0,6}[a-zA-Z\d])?$/);
    const address = fc.oneof(
      fc.tuple(part, fc.array(fc.oneof({ weight: 4, arbitrary: label }, part), { maxLength: 4 })),
      fc.tuple(fc.stringMatching(/^[\w&'+.-]{1,8}$/), fc.array(label, { minLength: 1, maxLength: 3 })),
    );
    fc.assert(
      fc.property(address, ([local, labels]) => {
        const contactEmail = `${local}@${labels.join('.')}`.trim();
        const hasWrongDots = ['.', '@'].includes(contactEmail[0]!) || /\.[.@]/.test(contactEmail);
        const isRight = rule.test(contactEmail) && contactEmail.split('@')[1]!.includes('.') && !hasWrongDots;
        expect(newAgentSchema.shape.contactEmail.safeParse(contactEmail).success).toBe(isRight);
      }),
      { numRuns: 2_000 },
    );
  });
});

test.each([
  ['Ada <ada@example.com>', 'the address alone: ada@example.com'],
  ['"Ada, Countess" <ada@example.com>', 'the address alone: ada@example.com'],
  ['<ada@example.com>', 'the address alone: ada@example.com'],
  ['Ada <ada>', 'an address such as name@example.com'],
  ['Ada <a@example.com> <b@example.com>', 'an address such as name@example.com'],
])('the contact email %j is refused with a sentence that shows the address', (contactEmail, sentence) => {
  expect(refusals({ contactEmail })).toEqual([`contactEmail: Contact email must be ${sentence}`]);
});

describe('website', () => {
  test.each([undefined, null, '', ' \t'])('%j is null', (website) => {
    expect(parse({ website }).website).toBeNull();
  });

  test.each([
    ['http://example.com', 'http://example.com/'],
    ['https://example.com:8443/path?query=1#hash', 'https://example.com:8443/path?query=1#hash'],
    ['HTTPS://Example.COM:443/A', 'https://example.com/A'],
    ['https://bücher.example/übersicht', 'https://xn--bcher-kva.example/%C3%BCbersicht'],
    ['https://BÜCHER.example.', 'https://xn--bcher-kva.example./'],
    ['https://faß.example/', 'https://xn--fa-hia.example/'],
    ['https://xn--bcher-kva.example/', 'https://xn--bcher-kva.example/'],
    ['http://192.0.2.7/', 'http://192.0.2.7/'],
    ['http://[2001:DB8:0::1]:80/', 'http://[2001:db8::1]/'],
    ['https://example.com/@owner', 'https://example.com/@owner'],
    ['https://example.com/a/../b', 'https://example.com/b'],
    ['https://example.com/?mail=a@example.com', 'https://example.com/?mail=a@example.com'],
  ])('%s is kept as the URL parser writes it', (website, written) => {
    expect(parse({ website }).website).toBe(written);
    expect(parse({ website: written }).website).toBe(written);
  });

  test.each([
    ['https://example.com\\@other.example/', 'example.com'],
    ['https://ｅxample.com', 'example.com'],
    ['https://example\u3002com', 'example.com'],
    ['https://b\u00FCcher\u3002example', 'xn--bcher-kva.example'],
    ['https://b\u00FC\u00ADcher.example', 'xn--bcher-kva.example'],
    ['https://ex%61mple.com', 'example.com'],
    ['http://3221225991', '192.0.2.7'],
    ['http://192.0.519', '192.0.2.7'],
    ['http://0xC0.0.2.7', '192.0.2.7'],
  ])('%j is refused, since the URL parser reads another host', (website, host) => {
    expect(refusals({ website })).toEqual([`website: Website must name its host as browsers read it: ${host}`]);
  });

  test('an address that becomes too long as the URL parser writes it is refused', () => {
    expect(refusals({ website: `https://example.com/${'ü'.repeat(400)}` })).toEqual([
      expect.stringMatching(
        /^website: Website can have at most [\d,]+ characters, of which some are written as several$/,
      ),
    ]);
  });

  test.each([
    'example.com',
    'https://',
    'https:example.com',
    '//example.com',
    '/path',
    'javascript:alert(1)',
    'JavaScript://example.com/%0Aalert(1)',
    'java\nscript:alert(1)',
    'data:text/html,x',
    'ftp://example.com',
    'file:///etc/passwd',
    'mailto:a@example.com',
    'https://user@example.com',
    'https://user:secret@example.com',
    'https://:secret@example.com',
    'https://exa mple.com',
    'https://example.com/\u0000',
    'https://exam\nple.com',
    'https://example.com:99999',
  ])('%j is refused', (website) => {
    expect(refusals({ website })).toEqual([
      'website: Website must be an http or https address without a user name, such as https://example.com',
    ]);
  });

  test.each([
    'http://localhost',
    'http://LOCALHOST.:3000/path',
    'https://registry.localhost',
    'http://lo\u00ADcalhost',
    'http://localhos%74',
    'http://127.0.0.1',
    'http://127.255.255.254:8080',
    'http://127.1',
    'http://2130706433',
    'http://0x7F000001',
    'http://0177.0.0.1',
    'http://127\u30020\u30020\u30021',
    'http://0.0.0.0',
    'http://0',
    'http://[::1]',
    'http://[0:0:0:0:0:0:0:1]:3000',
    'http://[::]',
    'http://[::ffff:127.0.0.1]',
    'http://[::ffff:0.0.0.0]',
  ])('%j is refused, since it is the machine of each visitor', (website) => {
    expect(refusals({ website })).toEqual([
      'website: Website must be an address that others can reach, not localhost or a loopback address',
    ]);
  });

  test.each([
    'http://localhost.example.com/',
    'http://notlocalhost/',
    'https://example.com/localhost?next=http://127.0.0.1',
    'http://127.example.com/',
    'http://128.0.0.1/',
    'http://10.0.0.1/',
    'http://[::2]/',
    'http://[2001:db8::7f00:1]/',
  ])('%s is accepted', (website) => {
    expect(parse({ website }).website).toBe(website);
  });

  test.each(
    ['\u061C', '\u200E', '\u200F', '\u202A', '\u202E', '\u2066', '\u2069'].flatMap((mark) => [
      `https://exam${mark}ple.com`,
      `https://example.com/a${mark}b`,
      `https://example.com/?q=${mark}`,
      `https://example.com/#${mark}x`,
    ]),
  )('%j is refused, since it changes the direction of writing', (website) => {
    expect(refusals({ website })).toEqual([
      'website: Website must not have characters that change the direction of writing',
    ]);
  });

  test('a lone surrogate is refused', () => {
    expect(refusals({ website: 'https://example.com/\uD800' })).toEqual([expect.stringMatching(/^website: Website /)]);
  });

  test.each(['https://registry.example/agent/1#manage=x', 'https://example.com/#manage='])(
    '%j is refused, since a management link is a secret',
    (website) => {
      expect(refusals({ website })).toEqual([
        'website: Website must not be a management link: everybody who reads it could change the entry',
      ]);
    },
  );
});

describe('option lists', () => {
  test('every option of the form is accepted', () => {
    for (const name of optionFields)
      for (const value of valuesOf(name)) expect(parse({ [name]: value })[name]).toBe(value);
  });

  test.each([
    ['pricingModel', 'Pricing model must be one of free, freemium, paid, enterprise'],
    ['apiAccess', 'API access must be one of yes, no, planned'],
    ['category', 'Category must be one of chatbot, automation, analytics, creative, vision, language'],
  ])('a wrong %s is refused with the choices', (field, message) => {
    for (const value of ['other', 'FREE', 'Yes', 5, null]) {
      expect(refusals({ [field]: value })).toEqual([`${field}: ${message}`]);
    }
  });
});

test('the honeypot field is refused by name, whatever else is wrong', () => {
  for (const subject of ['', 'Cheap watches']) {
    expect(refusals({ subject, rating: 5 })).toContain(
      ': The field subject is hidden from people and filled in by bots. Leave it out',
    );
  }
});

test.each([
  [undefined, undefined],
  [' \n', undefined],
  [' MIT ', 'MIT'],
  ['x'.repeat(9), 'Licence can have at most 8 characters'],
  ['a\nb', 'Licence must be one line'],
  ['\u200B', 'Licence must have visible characters'],
  [null, 'Licence must be text'],
  [5, 'Licence must be text'],
])('a line that may be left out is %j as %j', (given, expected) => {
  const { data, error } = optionalText({ label: 'Licence', bounds: { max: 8, isLine: true } }).safeParse(given);
  expect(error?.issues[0]?.message ?? data).toBe(expected);
});
