import { escapeXml, toAgentPath } from '@agent-registry/contracts';
import { useSite, useSiteConfig } from '../lib/site.ts';
import classes from './BadgeSnippets.module.css';
import { CopyField } from './CopyField.tsx';

/** The badge of a listed agent on a light and a dark page, and the code that shows it on another site. */
export function BadgeSnippets({ id }: { id: string }) {
  const { origin } = useSite();
  const { name } = useSiteConfig();
  const path = toAgentPath(id);
  const [page, image, text] = [origin + path, `${origin}${path}/badge.svg`, `Listed in ${name}`];
  return (
    <div className={classes.root}>
      <div>
        <span>
          <img src={`${path}/badge.svg`} alt="The badge of the entry" height={20} />
        </span>
        <span>
          <img src={`${path}/badge.svg`} alt="" height={20} />
        </span>
      </div>
      <CopyField
        label="Badge for your website"
        value={`<a href="${page}"><img src="${image}" alt="${escapeXml(text)}"></a>`}
      />
      <CopyField label="Badge for a README" value={`[![${escapeMarkdown(text)}](${image})](${page})`} />
    </div>
  );
}

function escapeMarkdown(text: string): string {
  return text.replaceAll(/[\\[\]]/g, String.raw`\$&`);
}
