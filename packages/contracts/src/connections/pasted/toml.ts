import { parseJson } from '../../json-paths.ts';

type Table = Record<string, unknown>;

/** The head of the table of a server or of a part of it, a member with its value, a comment, or nothing. */
const LINE =
  /[ \t]*(?:\[mcp_servers\.("[^"\n]*"|[\w-]+)(?:\.([\w-]+))?\][^\n]*|("[^"\n]*"|[\w-]+)[ \t]*=((?:[^\n[]|\[[^\]]*\])*)|#[^\n]*|)(?:\r?\n|$)/y;
const TOKEN = /"(?:[^"\\\n]|\\.)*"?|'([^'\n]*)'|([\w-]+)[ \t]*(?==)|=|#[^\n]*|,(?=\s*\])/g;

/** Writes the servers in TOML, as Codex has them, as JSON. A value with a mistake becomes null. */
export function readToml(text: string, from: number): { json: string; end: number } {
  const servers = Object.create(null) as Table;
  let table = servers;
  LINE.lastIndex = from;
  for (let end = from; ; end = LINE.lastIndex) {
    const [line, server, part, key, value = ''] = (end < text.length && LINE.exec(text)) || [];
    if (line === undefined) return { json: JSON.stringify({ servers }, null, 2), end };
    if (server !== undefined) table = (servers[server.replaceAll('"', '')] ??= Object.create(null)) as Table;
    if (part !== undefined) table = (table[part] = Object.create(null)) as Table;
    if (key !== undefined) table[key.replaceAll('"', '')] = parseJson(value.replaceAll(TOKEN, toJson)) ?? null;
  }
}

function toJson(token: string, literal?: string, name?: string): string {
  if (token.startsWith('"')) return token;
  return token === '=' ? ':' : /^[#,]/.test(token) ? '' : JSON.stringify(literal ?? name);
}
