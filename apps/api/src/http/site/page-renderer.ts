import type { EndpointName, PostedAction, RegistrationMode, SiteConfig } from '@agent-registry/contracts';
import type { HttpError } from '../../http-error.ts';

/** The result of a procedure that a page runs in the process: its value, with what the procedure says of it. */
export type CallResult =
  | { data: unknown; isHeld?: boolean | undefined; refusal?: string | undefined }
  | { failure: HttpError };

/** What the markup of a page is made from: plain data, which can be sent to another thread. */
export type MarkupInput = {
  location: { pathname: string; search: string };
  state: unknown;
};

/** Renders the markup of a page. It takes most of the time of a page, and needs nothing but its input. */
export type RenderMarkup = (input: MarkupInput) => Promise<string>;

/** A page request. It holds nothing about the client, so that the page can be cached. */
export type RenderRequest = {
  url: string;
  origin: string;
  ardUrl?: string | undefined;
  template: string;
  siteConfig: SiteConfig;
  registration: RegistrationMode;
  /** Runs a procedure; never rejects. */
  call: (procedure: EndpointName, input: unknown) => Promise<CallResult>;
  countAgents: () => Promise<number>;
  /** Renders in a worker thread when the client's turn comes; rejects if too many wait. */
  renderMarkup: RenderMarkup;
};

export type RenderedPage = {
  status: number;
  html: string;
  /** Whether all data could be read. If not, the browser loads it, and the page is not cached. */
  isComplete: boolean;
};

/** A form of an agent's page that was posted without scripts. */
export type ManageForm = {
  id: string;
  action: PostedAction;
  fields: URLSearchParams;
  /** The same request with reads as the owner, by the posted key. Its pages are the owner's: no cache may keep them. */
  asOwner: RenderRequest;
};

/** The exports of the web app's server entry, which has no React. */
export type PageRenderer = {
  renderPage(request: RenderRequest): Promise<RenderedPage>;
  /** @returns the page with the management link, in whose fragment the key is, or with the form and its errors */
  registerByForm(
    request: RenderRequest,
    form: { fields: URLSearchParams; managementKey: string },
  ): Promise<RenderedPage>;
  prefillByForm(request: RenderRequest, fields: URLSearchParams): Promise<RenderedPage>;
  /** @returns the path of the agent's page, or the page with the form and its errors */
  manageByForm(request: RenderRequest, form: ManageForm): Promise<{ location: string } | RenderedPage>;
};
