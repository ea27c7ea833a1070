import { PRODUCT, REQUESTS_SECTION } from '../../../website-check/user-agent.ts';
import { html, type Html } from './html.ts';

/** The id of the section that says where the stars of agents come from. */
const RATINGS_SECTION = 'ratings';

/** Renders what people ask who meet the registry elsewhere: in the logs of a website, or behind a star. */
export function renderEntryNotes(): Html {
  return html`<section id="${REQUESTS_SECTION}">
      <h2>Requests to websites</h2>
      <p>
        Requests with the User-Agent <code>${PRODUCT}</code> come from this registry, never from a visitor's browser.
        There are three kinds:
      </p>
      <ul>
        <li>
          Once a day at most, a registry that is set to do so asks <code>https://your-host/</code> whether it answers.
          It reads <code>robots.txt</code> first, with up to three redirects within your host, and no page. It follows
          no other redirect, sends no cookies, and waits 10 seconds at most. However many entries name your host, it is
          one request. Owners of an entry can ask for five more a day.
        </li>
        <li>
          When somebody fills in the form from an address: the page and descriptions beside it, five requests at most,
          redirects included, to one host.
        </li>
        <li>When an owner proves to control a website: one file and the listed page.</li>
      </ul>
      <p>
        To be left out of the daily request, disallow <code>/</code> for <code>${PRODUCT}</code> in your
        <code>robots.txt</code>. A host counts as silent after failures on three days over at least seven: no such name,
        a refused connection, or a 5xx other than 503. Every other response is an answer. Time-outs and certificates say
        nothing. A silent host changes no list and no order; the page of the entry says it in a sentence.
      </p>
    </section>
    <section id="${RATINGS_SECTION}">
      <h2>Ratings</h2>
      <p>
        Visitors cannot rate agents here. Stars and numbers of reviews come with an import by the operator of the
        registry, from wherever the operator has them; the registry has not checked them. An agent without reviews has
        0.0 stars, shown muted, and tells search engines no rating.
      </p>
    </section>`;
}
