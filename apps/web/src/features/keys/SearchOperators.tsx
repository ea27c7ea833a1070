import classes from './Keys.module.css';

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

/** The operators of a search in a table. */
export function SearchOperators() {
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
    </>
  );
}
