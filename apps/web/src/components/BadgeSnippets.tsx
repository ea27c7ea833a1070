import { escapeXml, toAgentPath } from '@agent-registry/contracts';
import { Group, Stack } from '@mantine/core';
import { useSite, useSiteConfig } from '../lib/site.ts';
import { CopyField } from './CopyField.tsx';

export function BadgeSnippets({ id }: { id: string }) {
  const { origin } = useSite();
  const { name } = useSiteConfig();
  const path = toAgentPath(id);
  const [page, image, text] = [origin + path, `${origin}${path}/badge.svg`, `Listed in ${name}`];
  const markdown = text.replaceAll(/[\\[\]]/g, String.raw`\$&`);
  return (
    <Stack gap="sm" w="100%">
      {/* Other sites are light or dark. */}
      <Group gap="xs">
        <Group className="panel white" justify="center" p="sm" flex="1 1 14rem">
          <img src={`${path}/badge.svg`} alt="The badge of the entry" height={20} />
        </Group>
        <Group className="panel ink" justify="center" p="sm" flex="1 1 14rem">
          <img src={`${path}/badge.svg`} alt="" height={20} />
        </Group>
      </Group>
      <CopyField
        label="Badge for your website"
        value={`<a href="${page}"><img src="${image}" alt="${escapeXml(text)}"></a>`}
      />
      <CopyField label="Badge for a README" value={`[![${markdown}](${image})](${page})`} />
    </Stack>
  );
}
