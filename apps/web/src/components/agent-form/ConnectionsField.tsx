import {
  addressOf,
  describeConnection,
  inputsOf,
  readPasted,
  writeConnection,
  type Pasted,
  type PastedWay,
} from '@agent-registry/contracts';
import { Textarea, type TextareaProps } from '@mantine/core';
import { useState, type ChangeEvent } from 'react';
import { Select } from '../Select.tsx';
import classes from './AgentForm.module.css';
import { FieldHelp } from './FieldHelp.tsx';
import { MAX_SHOWN_FAULTS } from './form-values.ts';

const ROWS = 5;
const MAX_SHOWN_NOTES = 4;

/** The kinds of an address alone: the first words of its line, with their labels. */
const kindOptions = [
  { value: 'mcp', label: 'MCP server' },
  { value: 'mcp sse', label: 'MCP server (SSE)' },
  { value: 'a2a', label: 'A2A agent card' },
  { value: 'skill', label: 'Skill' },
  { value: 'skill zip', label: 'Skill (zip)' },
  { value: 'skill gzip', label: 'Skill (gzip)' },
  { value: 'openapi', label: 'OpenAPI description' },
];

type ConnectionsFieldProps = Omit<TextareaProps, 'onChange' | 'onBlur'> & {
  id: string;
  value: string;
  /** Called with the text without values of headers, variables and arguments. */
  onText: (text: string) => void;
};

/** How one connects to the agent, as text of any form. The form never gets the values of headers, variables and arguments. */
export function ConnectionsField({ value, onText, ...props }: ConnectionsFieldProps) {
  const [typed, setTyped] = useState({ raw: value, text: value, isTyping: false });
  const [said, setSaid] = useState<Pick<Pasted, 'names' | 'notes'>>({ names: [], notes: [] });
  const isShown = typed.text === value;
  const pasted = readPasted(value);
  const names = said.names.filter((name) => value.includes(name));
  const shown = { ...pasted, names, notes: isShown && said.notes.length > 0 ? said.notes : pasted.notes };

  const handleChange = ({ currentTarget, nativeEvent }: ChangeEvent<HTMLTextAreaElement>) => {
    const raw = currentTarget.value;
    const { text, ...read } = readPasted(raw);
    const isTyping = !('inputType' in nativeEvent && String(nativeEvent.inputType).startsWith('insertFrom'));
    // A text under the caret stays as it is; a pasted one is replaced at once.
    setTyped({ raw: isTyping ? raw : text, text, isTyping });
    setSaid({ names: [...new Set([...said.names, ...read.names])], notes: read.notes });
    onText(text);
  };
  return (
    <div>
      <Textarea
        {...props}
        value={isShown ? typed.raw : value}
        onChange={handleChange}
        onBlur={() => setTyped({ raw: value, text: value, isTyping: false })}
        dir="ltr"
        spellCheck={false}
        placeholder={'https://example.com/mcp\nnpx -y @example/tides@1.4.0'}
        rows={5}
        description={
          <FieldHelp>
            Paste what you have: an https address, a command such as npx, uvx, docker run or claude mcp add, the
            configuration of a client, or a server.json. It is written anew, a line for each, without values of headers,
            variables and arguments. Below it, “- X-Api-Key asks for the key from your account” describes a header.
          </FieldHelp>
        }
      />
      <Ways pasted={shown} hasFaults={!props.error && !(isShown && typed.isTyping)} onText={onText} />
    </div>
  );
}

type WaysProps = { pasted: Pasted; hasFaults: boolean; onText: (text: string) => void };

function Ways({ pasted: { text, ways, faults, notes, names }, hasFaults, onText }: WaysProps) {
  const sentences = [
    ...(names.length > 0 ? [`Values were removed. Only these names are kept: ${names.join(', ')}`] : []),
    ...(hasFaults ? faults.slice(0, MAX_SHOWN_FAULTS) : []),
    ...notes.slice(0, MAX_SHOWN_NOTES),
  ];
  return (
    <div className={classes.ways}>
      {ways.length > 0 && (
        <ul aria-label="Recognised ways to connect">
          {ways.map((way) => (
            <li key={describeConnection(way.connection)}>
              <Way way={way} onKind={({ start, end }, line) => onText(text.slice(0, start) + line + text.slice(end))} />
            </li>
          ))}
        </ul>
      )}
      <div role="status">
        {sentences.map((sentence) => (
          <p key={sentence}>{sentence}.</p>
        ))}
      </div>
    </div>
  );
}

type WayProps = { way: PastedWay; onKind: (place: { start: number; end: number }, line: string) => void };

function Way({ way: { connection, address }, onKind }: WayProps) {
  const [kind] = writeConnection(connection).split(' https:', 1);
  const label = kindOptions.find(({ value }) => value === kind)?.label ?? 'MCP package';
  const inputs = inputsOf(connection).map(({ name }) => name);
  const what = connection.kind === 'mcp-package' ? describeConnection(connection) : addressOf(connection);
  return (
    <>
      {address && (
        <Select
          className="needs-scripts"
          size="sm"
          aria-label={`Kind of ${what}`}
          data={kindOptions}
          value={kind}
          onChange={({ currentTarget }) => onKind(address, `${currentTarget.value} ${what}`)}
        />
      )}
      <span>
        {!address && `${label}: `}
        <bdi>{what}</bdi>
        {inputs.length > 0 && `, asks for ${inputs.join(', ')}`}
      </span>
    </>
  );
}
