import type { Agent } from '@agent-registry/contracts';

/** A tab of the code box: its label, and the code that it shows and copies. */
type CodeExample = { label: string; code: string };

/**
 * Writes the programs that read an agent, and the response that they get.
 * @param url the address of the agent in the API, which has no character that a string of these languages escapes
 */
export function listCodeExamples(agent: Agent, url: string): CodeExample[] {
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
