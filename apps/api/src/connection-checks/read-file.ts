import { isAgentCard, parseJson, toObject, type Connection, type Offer } from '@agent-registry/contracts';
import { MAX_BODY_SIZE, type WebsiteResponse } from '../website-check/guarded-fetch.ts';
import { readCard } from './read-card.ts';
import { verifyCard, type Signer } from './verify-card.ts';

/** A connection whose check reads a file. */
export type FileConnection = Extract<Connection, { kind: 'a2a' | 'skill' | 'openapi' }>;

/** The most bytes that are read. */
export const MAX_SIZES = { a2a: 262_144, skill: MAX_BODY_SIZE, openapi: MAX_BODY_SIZE };
/** The most lines of the head of a skill. */
const MAX_HEAD_LINES = 100;
/** The key of a description of an API, as JSON and as YAML. */
const [OPEN_API, OPEN_API_LINE] = [/"(?:openapi|swagger)"\s*:/, /^["']?(?:openapi|swagger)["']?[ \t]*:/m] as const;
/** The first bytes of archives, of which that of gzip is no UTF-8. */
const STARTS = { zip: 'PK\u0003\u0004', gzip: '\u001F\uFFFD\b' };

/** Reads a file: why it is not what it is listed as, and what an agent card says. */
export async function readFile(
  connection: FileConnection,
  { status, text }: Pick<WebsiteResponse, 'status' | 'text'>,
  signer: Signer,
): Promise<{ fault?: string | undefined; offer?: Offer }> {
  const start = text.replace(/^\uFEFF/, '');
  if (connection.kind !== 'a2a') return { fault: findFileFault(connection, start) };
  if (Buffer.byteLength(text) >= MAX_SIZES.a2a) return { fault: 'it is larger than 256 KiB' };
  const card = toObject(parseJson(start));
  if (!isAgentCard(card)) return { fault: 'it is no agent card' };
  return status === 200 ? { offer: { card: { ...readCard(card), ...(await verifyCard(card, signer)) } } } : {};
}

/** Why the start of a file is not what its connection says; undefined if it is. */
function findFileFault(connection: Exclude<FileConnection, { kind: 'a2a' }>, text: string): string | undefined {
  if (connection.kind === 'openapi') {
    const key = /^\s*\{/.test(text) ? OPEN_API : OPEN_API_LINE;
    return key.test(text) ? undefined : 'it is no OpenAPI description';
  }
  if (connection.format !== 'md') return text.startsWith(STARTS[connection.format]) ? undefined : 'it is no archive';
  const [first, ...lines] = text.split(/\r?\n/, MAX_HEAD_LINES);
  const head = first === '---' ? lines.slice(0, Math.max(0, lines.indexOf('---'))) : [];
  const isSkill = ['name:', 'description:'].every((name) => head.some((line) => line.startsWith(name)));
  return isSkill ? undefined : 'it is no skill';
}
