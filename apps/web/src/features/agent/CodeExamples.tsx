import { endpoints, type Agent } from '@agent-registry/contracts';
import { Tabs } from '@mantine/core';
import { useRef, useState } from 'react';
import { CopyCode } from '../../components/CopyCode.tsx';
import { useSite } from '../../lib/site.ts';
import classes from './CodeExamples.module.css';

/** The strings of the code, and the program of a command. */
const COLOURED = /('[^']*'|"(?:[^"\\]|\\.)*"|^curl)/u;

/** Code that reads an agent from a program, in tabs; without scripts the first one. */
export function CodeExamples({ agent }: { agent: Agent }) {
  const { origin } = useSite();
  const shown = useRef<HTMLElement>(null);
  const examples = listCodeExamples(agent, origin + endpoints['agents.get'].path.replace('{id}', agent.id));
  const [chosen, setChosen] = useState(examples[0]?.label ?? null);
  const code = examples.find(({ label }) => label === chosen)?.code ?? '';
  return (
    <Tabs value={chosen} onChange={setChosen} keepMounted={false} unstyled className={classes.root} dir="ltr">
      <div className="needs-scripts">
        <Tabs.List aria-label="Languages">
          {examples.map(({ label }) => (
            <Tabs.Tab key={label} value={label}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <CopyCode text={code} shown={shown} />
      </div>
      {examples.map(({ label }) => (
        <Tabs.Panel key={label} value={label} tabIndex={0}>
          <code ref={shown}>
            {code.split(COLOURED).map((part, index) => (index % 2 === 1 ? <span key={index}>{part}</span> : part))}
          </code>
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

type CodeExample = { label: string; code: string };

/** Programs that read an agent, and their response. No character of the URL needs an escape in their strings. */
function listCodeExamples(agent: Agent, url: string): CodeExample[] {
  return [
    { label: 'curl', code: `curl ${url}` },
    {
      label: 'JavaScript',
      code: `const response = await fetch('${url}');\nconst agent = await response.json();\nconsole.log(agent.name);`,
    },
    {
      label: 'Python',
      code: `import json\nfrom urllib.request import urlopen\n\nwith urlopen('${url}') as response:\n    agent = json.load(response)\nprint(agent['name'])`,
    },
    { label: 'Response', code: JSON.stringify(agent, null, 2) },
  ];
}
