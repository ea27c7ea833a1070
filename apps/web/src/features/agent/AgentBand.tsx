import { MARK_VIEW_BOX, toAgentMark, type MarkArea } from '@agent-registry/contracts';
import { Container } from '@mantine/core';
import { Suspense, type CSSProperties, type ReactNode } from 'react';
import { AgentMark } from '../../components/AgentMark.tsx';
import { CategoryLine } from '../../components/CategoryIcon.tsx';
import { ProvedTick } from '../../components/ProvedTick.tsx';
import { Rating } from '../../components/Rating.tsx';
import { useCategory, useWebsiteName } from '../../lib/site.ts';
import { AgentActions, type AgentActionsProps } from './AgentActions.tsx';
import classes from './AgentBand.module.css';

/** Web addresses without a user name, with the ASCII punctuation after them. */
const WEB_ADDRESS =
  /https?:\/\/(?![^\s\/?#]*@)[^\s<>"[[\p{Terminal_Punctuation}\p{Ps}\p{Pe}\p{Pi}\p{Pf}]--\p{ASCII}]]+/giv;
const PUNCTUATION = /[.,;:!?']|[\p{P}--\p{ASCII}]/v;
const OPENING: Record<string, string> = { ')': '(', ']': '[', '}': '{' };

type AgentBandProps = AgentActionsProps & { crumb?: ReactNode; hasLead: boolean };

export function AgentBand({ crumb, hasLead, ...actions }: AgentBandProps) {
  const { agent } = actions;
  const site = useWebsiteName(agent.website);
  const { pattern } = toAgentMark(agent, useCategory(agent.category));
  return (
    <header className={`ink ${classes.band}`} style={{ '--tile': pattern[0]?.colour } as CSSProperties}>
      <Quilt pattern={pattern} />
      <Container size="lg" className={classes.inner}>
        {crumb}
        {/* The direction of the name is that of the whole head. */}
        <div dir="auto" className={classes.head}>
          <AgentMark agent={agent} size="lg" className={classes.mark} />
          <div className={classes.heading}>
            <h1 className={classes.name}>{agent.name}</h1>
            <div className={classes.line}>
              <CategoryLine category={agent.category} />
              <Rating rating={agent.rating} reviewCount={agent.reviewCount} />
              {site && (
                <span dir="ltr">
                  {site.name} <ProvedTick agent={agent} />
                </span>
              )}
            </div>
          </div>
        </div>
        {hasLead && (
          <>
            <h2 className="visually-hidden">Description</h2>
            <Description>{agent.description}</Description>
          </>
        )}
        <AgentActions {...actions} />
        <Suspense>
          <p className={classes.addresses}>
            {agent.contactEmail}
            <br />
            {agent.website}
          </p>
        </Suspense>
      </Container>
    </header>
  );
}

/** In a boundary: where a proxy has changed a text of the owner, React renders it anew and nothing else. */
export function Description({ children }: { children: string }) {
  return (
    <Suspense>
      <p dir="auto" className={classes.description}>
        <LinkedText>{children}</LinkedText>
      </p>
    </Suspense>
  );
}

function Quilt({ pattern }: { pattern: readonly MarkArea[] }) {
  return (
    <svg className={classes.quilt} aria-hidden>
      <defs>
        <symbol id="quilt-mark" viewBox={MARK_VIEW_BOX}>
          {pattern.map(({ colour, path }) => (
            <path key={colour} fill={colour} d={path} />
          ))}
        </symbol>
        <pattern id="quilt" width="240" height="240" patternUnits="userSpaceOnUse">
          {[0, 90, 180, 270].map((turn) => (
            <use key={turn} href="#quilt-mark" width="120" height="120" transform={`rotate(${turn} 120 120)`} />
          ))}
        </pattern>
      </defs>
      <rect width="100%" height="100%" fill="url(#quilt)" />
    </svg>
  );
}

export function LinkedText({ children }: { children: string }) {
  const parts = [];
  let end = 0;
  for (const { 0: found, index } of children.matchAll(WEB_ADDRESS)) {
    const address = trimEnd(found);
    if (!URL.canParse(address)) continue;
    parts.push(
      children.slice(end, index),
      <a key={index} href={address} dir="ltr" target="_blank" rel="ugc nofollow noopener noreferrer">
        {address}
      </a>,
    );
    end = index + address.length;
  }
  return [...parts, children.slice(end)];
}

/** Leaves out the punctuation at the end, and brackets that are not opened in the address. */
function trimEnd(address: string): string {
  const characters = Array.from(address);
  const counts = new Map<string, number>();
  const count = (character: string) => counts.get(character) ?? 0;
  for (const character of characters) counts.set(character, count(character) + 1);
  for (let last = characters.at(-1); last !== undefined; last = characters.at(-1)) {
    const opening = OPENING[last];
    if (!PUNCTUATION.test(last) && (opening === undefined || count(opening) >= count(last))) break;
    counts.set(last, count(last) - 1);
    characters.pop();
  }
  return characters.join('');
}
