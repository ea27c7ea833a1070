export { manageByForm, prefillByForm, registerByForm } from './posted-forms.ts';
export { renderPage } from './render-page.ts';
