import classes from './Keys.module.css';

const keys = [
  ['/', 'Go to the search'],
  ['?', 'Show this help'],
  ['Esc', 'Clear the search, close a menu'],
  ['F8', 'Go to the notifications'],
] as const;

/** What can be typed, with its results; docs/api.md describes it in full. */
const operators: readonly (readonly [typed: string, results: string])[] = [
  ['chat -google', 'without a word'],
  ['"customer support"', 'with this phrase'],
  ['category:vision', 'of a category'],
  ['pricing:free,paid', 'with one of these prices: free, freemium, paid, enterprise'],
  ['api:yes', 'with an API: yes, no, planned'],
  ['name:front', 'with a word in the name'],
  ['capability:translation', 'with a word in the capabilities'],
  ['by:example.com', 'with a website at this host'],
];

/** The operators of a search, the keyboard shortcuts, and the switch of those of a single character. */
export function KeyList({ isOn, onToggle }: { isOn: boolean; onToggle: () => void }) {
  return (
    <>
      <p>Words find agents that have all of them. Each of these can be added:</p>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">Typed</th>
            <th scope="col">Agents</th>
          </tr>
        </thead>
        <tbody>
          {operators.map(([typed, results]) => (
            <tr key={typed}>
              <th scope="row">
                <code>{typed}</code>
              </th>
              <td>{results}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <b>Keyboard shortcuts</b>
      <dl className={classes.keys}>
        {keys.map(([key, effect]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{effect}</dd>
          </div>
        ))}
      </dl>
      <label className={classes.choice}>
        <input type="checkbox" checked={isOn} onChange={onToggle} />
        The keys / and ? are on
      </label>
    </>
  );
}
