import {
  describeCount,
  describeDay,
  describeSignature,
  describeToolsChange,
  MAX_SHOWN_TOOLS,
  type CardFacts,
  type OfferFacts,
  type Tool,
  type ToolsChange,
} from '@agent-registry/contracts';
import classes from './Connect.module.css';

/** What the registry read of a connection: its tools, or its card. The texts are those of its server. */
export function Offered({ offer }: { offer: OfferFacts | undefined }) {
  if (!offer) return null;
  const { tools = [], changed, card, readAt } = offer;
  const read = `, read ${describeDay(readAt, 'medium')}`;
  const count = describeCount(offer);
  return (
    <div className={classes.offered}>
      {count !== undefined && <Tools tools={tools} title={count + read} count={offer.count ?? 0} />}
      {changed && <p>{describeChanged(changed)}</p>}
      {card && <Card card={card} read={read} />}
    </div>
  );
}

function Tools({ tools, title, count }: { tools: readonly Tool[]; title: string; count: number }) {
  const shown = tools.slice(0, MAX_SHOWN_TOOLS);
  if (shown.length === 0) return <p>{title}</p>;
  return (
    <details>
      <summary>{title}</summary>
      <ul>
        {shown.map((tool, index) => (
          <li key={index}>
            <code dir="auto">{tool.name}</code>
            {tool.isReadOnly === true && ' (read-only)'}
            {tool.isDestructive === true && ' (destructive)'}
            <p dir="auto">{tool.description ?? tool.title}</p>
          </li>
        ))}
      </ul>
      {count > shown.length && <p>{count - shown.length} more</p>}
    </details>
  );
}

function describeChanged({ at, ...change }: ToolsChange & { at: string }): string {
  const number = [change.added, change.removed, change.changed].flat().length;
  const what = describeToolsChange(change);
  return `${number || 'Tools'} changed on ${describeDay(at, 'medium')}${what === '' ? '' : `: ${what}`}`;
}

function Card({ card, read }: { card: CardFacts; read: string }) {
  const signature = describeSignature(card);
  return (
    <>
      <p>
        <bdi>{card.bindings.join(', ')}</bdi>
        {card.skills.length > 0 && ', skills: '}
        <bdi>{card.skills.slice(0, MAX_SHOWN_TOOLS).join(', ')}</bdi>
        {signature !== undefined && `, ${signature}`}
        {read}
      </p>
      {card.deviations && (
        <p>
          Deviates from A2A: <span dir="ltr">{card.deviations.join('; ')}</span>
        </p>
      )}
    </>
  );
}
