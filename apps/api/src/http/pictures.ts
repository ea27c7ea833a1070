import { createRequire } from 'node:module';
import { agentIdSchema, BRAND, getCategory, type Category } from '@agent-registry/contracts';
import type { FastifyInstance } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { AgentStore } from '../agents/agent-store.ts';
import type { ReadyRoute } from './ready-answers.ts';
import { notFound } from './rest.ts';

/** How many pictures are kept, of some 30 kB each. */
const MAX_KEPT = 200;
const WIDTH = 1_200;
const HEIGHT = 630;
/** The size of a name, in pixels, and how wide its lines may be, in times of that. */
const NAME_SIZE = 68;
const NAME_WIDTH = 1_040 / NAME_SIZE;
const MAX_NAME_LINES = 4;

const colours: Record<Category['colour'], string> = {
  blue: '#1971c2',
  green: '#2b8a3e',
  purple: '#763bc4',
  orange: '#d9480f',
  red: '#c92a2a',
  indigo: '#3b5bdb',
};

const require = createRequire(import.meta.url);
const fontFiles = [
  require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'),
  require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf'),
];

/**
 * Serves the pictures by which pages are shown where somebody links to them: one of each agent, and one of the registry.
 * @param ready makes answers that hold until agents change ready ones
 */
export function registerPictures(
  app: FastifyInstance,
  { agents, ready }: { agents: Pick<AgentStore, 'find'>; ready: ReadyRoute },
): void {
  const kept = new LRUCache<string, Promise<Buffer>>({ max: MAX_KEPT });

  app.get('/picture.png', ready, async (_request, reply) =>
    sendPicture(reply, { title: BRAND, subtitle: 'AI agents, bots and automation tools', colour: '#0f7663' }),
  );
  app.get<{ Params: { id: string } }>('/agent/:id/picture.png', ready, async (request, reply) => {
    const id = agentIdSchema.safeParse(request.params.id);
    const agent = id.success ? await agents.find(id.data) : undefined;
    if (!agent) return notFound(request, reply);
    const { name, colour } = getCategory(agent.category);
    return sendPicture(reply, { title: agent.name, subtitle: name, colour: colours[colour] });
  });

  async function sendPicture(reply: Reply, content: PictureContent) {
    const png = await keep(content);
    // Made to be shown by the pages of others.
    return reply.header('Cross-Origin-Resource-Policy', 'cross-origin').type('image/png').send(png);
  }

  /** The picture of a content, drawn once for all who ask while it is kept. */
  function keep(content: PictureContent): Promise<Buffer> {
    const key = JSON.stringify(content);
    const picture = kept.get(key) ?? drawPicture(content);
    kept.set(key, picture);
    picture.catch(() => kept.delete(key));
    return picture;
  }
}

type Reply = Parameters<typeof notFound>[1];
type PictureContent = { title: string; subtitle: string; colour: string };

let lastDrawn: Promise<unknown> = Promise.resolve();

/** Draws a picture on another thread, one after the other, so that pictures never take more than one processor. */
function drawPicture(content: PictureContent): Promise<Buffer> {
  const draw = async () => {
    // Takes some megabytes, and most processes are never asked for a picture.
    const { renderAsync } = await import('@resvg/resvg-js');
    const picture = await renderAsync(toSvg(content), {
      font: {
        fontFiles,
        defaultFontFamily: 'DejaVu Sans',
        loadSystemFonts: false,
      },
    });
    return picture.asPng();
  };
  const drawn = lastDrawn.then(draw, draw);
  lastDrawn = drawn;
  return drawn;
}

function toSvg({ title, subtitle, colour }: PictureContent): string {
  const lines = toLines(title);
  const top = 335 - ((lines.length - 1) * NAME_SIZE * 1.2) / 2;
  const tspans = lines.map(
    (line, index) =>
      `<text x="80" y="${top + index * NAME_SIZE * 1.2}" font-size="${NAME_SIZE}" font-weight="700" fill="#131a23">${escape(line)}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" font-family="DejaVu Sans">
    <rect width="${WIDTH}" height="${HEIGHT}" fill="#f7f9fa"/>
    <rect width="24" height="${HEIGHT}" fill="${colour}"/>
    <text x="80" y="110" font-size="32" font-weight="700" fill="${colour}">${escape(subtitle)}</text>
    ${tspans.join('')}
    <g transform="translate(80 528) scale(1.6)"><rect width="32" height="32" rx="8" fill="#0f7663"/><g fill="none" stroke="#fff" stroke-width="2.4" stroke-linecap="round" stroke-linejoin="round"><rect x="7.5" y="11.5" width="17" height="13" rx="4"/><path d="M16 11.5V7.5M12.8 17v1.6M19.2 17v1.6"/></g><circle cx="16" cy="6.6" r="1.8" fill="#fff"/></g>
    <text x="150" y="566" font-size="32" font-weight="700" fill="#131a23">${BRAND}</text>
  </svg>`;
}

/** Breaks a name into lines; what has no room ends in an ellipsis. */
function toLines(name: string): string[] {
  const lines = [''];
  // Words, and of one that is longer than a line its letters.
  const pieces = name
    .split(/(?<=\s)/u)
    .flatMap((word) => (measure(word.trim()) > NAME_WIDTH ? Array.from(word) : [word]));
  for (const piece of pieces) {
    const line = lines.at(-1) ?? '';
    if (measure((line + piece).trim()) <= NAME_WIDTH) lines[lines.length - 1] = line + piece;
    else lines.push(piece);
  }
  const shown = lines.slice(0, MAX_NAME_LINES).map((line) => line.trim());
  if (lines.length > MAX_NAME_LINES) shown.push(`${(shown.pop() ?? '').slice(0, -1)}…`);
  return shown;
}

/** About how wide a text is in bold letters, in times of their size. */
function measure(text: string): number {
  return Array.from(text).reduce(
    (sum, letter) => sum + (/[ -~]/.test(letter) ? (/[MWmw@%]/.test(letter) ? 1.05 : 0.7) : 1),
    0,
  );
}

// No document of XML may have the last two characters that there are.
function escape(text: string): string {
  return text
    .replaceAll(/[\uFFFE\uFFFF]/g, '\uFFFD')
    .replaceAll(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);
}
