import { AGENT_PAGE_PATH, escapeXml, shortenText, toGraphemes, type Agent } from '@agent-registry/contracts';
import type { FastifyInstance } from 'fastify';
import { createPathNotFoundError } from '../../http-error.ts';
import { readAgentId } from '../api/context.ts';
import type { Surface } from '../api/surface.ts';

type Badge = { label: string; message: string; colour: string };

/** Serves the badges of listed agents for other sites: as SVG, and as JSON for an endpoint badge of shields.io. */
export function registerBadges(app: FastifyInstance, { siteConfig, agents, cache, readVersion }: Surface): void {
  const { colour } = siteConfig;
  const label = shortenText(siteConfig.name, 40, 80);
  for (const [extension, type, write] of [
    ['svg', 'image/svg+xml; charset=utf-8', writeSvg],
    ['json', 'application/json; charset=utf-8', writeShield],
  ] as const) {
    app.get(
      `${AGENT_PAGE_PATH}/badge.${extension}`,
      cache.route({
        readVersion,
        parse: readAgentId,
        async produce(_request, id) {
          const agent = await agents.find(id);
          if (!agent) throw createPathNotFoundError();
          return {
            headers: {
              'content-type': type,
              'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
              'cross-origin-resource-policy': 'cross-origin',
            },
            body: write({ label, message: describeListing(agent), colour }),
          };
        },
      }),
    );
  }
}

/** What the registry says of an agent; no text of its owner. */
function describeListing({ website, websiteCheckedAt, websiteProof }: Agent): string {
  if (website === null || websiteCheckedAt === undefined) return 'listed';
  const month = new Date(websiteCheckedAt).toLocaleDateString('en-US', {
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  });
  return `${websiteProof === 'repository' ? 'repository' : 'website'} controlled · ${month}`;
}

function writeSvg({ label, message, colour }: Badge): string {
  const [left, right] = [measure(label), measure(message)];
  const [start, width] = [left + 20, left + right + 40];
  const title = escapeXml(`${label}: ${message}`);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="20" role="img">
<title>${title}</title>
<clipPath id="r"><rect width="${width}" height="20" rx="3"/></clipPath>
<g clip-path="url(#r)"><path fill="#444" d="M0 0h${width}v20H0z"/><path fill="${colour}" d="M${start} 0h${right + 20}v20H${start}z"/></g>
<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" aria-hidden="true">
<text x="10" y="14" textLength="${left}">${escapeXml(label)}</text>
<text x="${start + 10}" y="14" textLength="${right}">${escapeXml(message)}</text>
</g>
</svg>
`;
}

/** The width of a text in pixels, estimated; the image stretches the text to it. */
function measure(text: string): number {
  return Math.round(toGraphemes(text).reduce((sum, character) => sum + (character < '\u2E80' ? 6.2 : 11), 0));
}

function writeShield({ label, message, colour }: Badge): string {
  return JSON.stringify({ schemaVersion: 1, label, message, color: colour });
}
