import { MARK_VIEW_BOX, toAgentMark, type Agent } from '@agent-registry/contracts';
import { Container } from '@mantine/core';
import { Suspense, type CSSProperties, type ReactNode } from 'react';
import { AgentMark } from '../../components/AgentMark.tsx';
import { CategoryLine } from '../../components/CategoryIcon.tsx';
import { ProvedTick } from '../../components/ProvedTick.tsx';
import { Rating } from '../../components/Rating.tsx';
import { useCategory, useWebsiteName } from '../../lib/site.ts';
import { AgentActions, type AgentActionsProps } from './AgentActions.tsx';
import classes from './AgentBand.module.css';
import { LinkedText } from './LinkedText.tsx';

type AgentBandProps = AgentActionsProps & {
  /** The way back, above the name. */
  crumb?: ReactNode;
  /** Whether the description stands below the name. */
  hasLead: boolean;
};

/** The head of an agent's page, in the dark of its own hue. */
export function AgentBand({ crumb, hasLead, ...actions }: AgentBandProps) {
  const { agent } = actions;
  const site = useWebsiteName(agent.website);
  return (
    <header className={`ink ${classes.band}`} style={useTileColour(agent)}>
      <Quilt agent={agent} />
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

function useTileColour(agent: Agent): CSSProperties {
  const [tile] = toAgentMark(agent, useCategory(agent.category)).pattern;
  return { '--tile': tile?.colour } as CSSProperties;
}

/** The mark of the agent, turned four ways, as a pattern without an end. */
function Quilt({ agent }: { agent: Agent }) {
  const { pattern } = toAgentMark(agent, useCategory(agent.category));
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
