// The API reference is whole without this script. It sends the calls that visitors try, and switches the colour scheme.

/** How much of a response is shown, in characters. */
const MAX_SHOWN = 20_000;

for (const part of document.querySelectorAll('[data-try]')) {
  const form = part.querySelector('form');
  part.hidden = false;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void send(form);
  });
}

/** Sends the call of a form, and shows its response. */
async function send(form) {
  const output = form.querySelector('output');
  output.textContent = 'Sending…';
  const url = toUrl(form);
  try {
    const response = await fetch(url);
    const text = await response.text();
    const body = document.createElement('pre');
    body.tabIndex = 0;
    body.textContent = cut(toReadable(text));
    output.replaceChildren(`${response.status} from ${url}`, body);
  } catch {
    output.textContent = 'The registry could not be reached. Try again.';
  }
}

/** The address of a call: its path with the fields of the path, and the other fields that are filled. */
function toUrl(form) {
  const query = new URLSearchParams();
  let path = form.getAttribute('action');
  for (const { name, value, dataset } of form.elements) {
    if (dataset.in === 'path') path = path.replace(`{${name}}`, encodeURIComponent(value.trim()));
    else if (name !== '' && value !== '') query.set(name, value);
  }
  return query.size > 0 ? `${path}?${query}` : path;
}

/** JSON with line breaks; a sentence as it is. */
function toReadable(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function cut(text) {
  return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN)}\n… ${text.length - MAX_SHOWN} characters more`;
}

const KEY = 'mantine-color-scheme-value';
const system = matchMedia('(prefers-color-scheme: dark)');
const schemeButton = document.querySelector('button[data-scheme]');

/** The scheme that the visitor has chosen on a page of the site; null for that of the system. */
function readChoice() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

function show(scheme) {
  document.documentElement.dataset.mantineColorScheme = scheme;
  schemeButton.ariaLabel = `Switch to ${scheme === 'dark' ? 'light' : 'dark'} mode`;
}

function showSystem() {
  if (!['light', 'dark'].includes(readChoice())) show(system.matches ? 'dark' : 'light');
}

show(document.documentElement.dataset.mantineColorScheme);
schemeButton.hidden = false;
system.addEventListener('change', showSystem);
schemeButton.addEventListener('click', () => {
  const other = document.documentElement.dataset.mantineColorScheme === 'dark' ? 'light' : 'dark';
  show(other);
  try {
    localStorage.setItem(KEY, other);
  } catch {
    // The storage is off: the choice holds for this page.
  }
});
