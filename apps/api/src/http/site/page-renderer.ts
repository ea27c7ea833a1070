import type { EndpointName } from '@agent-registry/contracts';
import type { HttpError } from '../../http-error.ts';

/** Headers of an answer, by the names that the API gives them; those of `fetch` are such too. */
export type AnswerHeaders = {
  get(name: string): string | null | undefined;
  has(name: string): boolean;
};

/** What a call of a procedure within the process gives: what the REST path of the procedure would answer. */
export type CallResult = { data: unknown; headers: AnswerHeaders } | { failure: HttpError };

/** A page that is asked for, and all that it is made of; who asks for it makes no difference. */
export type RenderRequest = {
  /** The path with its query. */
  url: string;
  /** Where the registry is for its visitors, such as `https://registry.example`. */
  origin: string;
  /** The page of the built web app, into which this one is written. */
  template: string;
  /** Whether nobody can register at present. */
  isRegistrationClosed: boolean;
  /** Calls a procedure; never rejects. */
  call: (procedure: EndpointName, input: unknown) => Promise<CallResult>;
  /** How many agents there are. */
  countAgents: () => Promise<number>;
};

/** A page as it is sent. */
export type RenderedPage = {
  status: number;
  html: string;
  /** Whether all of its data could be read; if not, the browser reads it, and the page is of use only once. */
  isComplete: boolean;
};

/** What the web app's entry for servers exports. */
export type PageRenderer = {
  /** Renders the page at an address. */
  renderPage(request: RenderRequest): Promise<RenderedPage>;
  /**
   * Registers what a form without scripts has sent.
   * @returns the path of the new agent's page, or the page with the form and what is wrong with it
   */
  registerByForm(request: RenderRequest, fields: URLSearchParams): Promise<{ location: string } | RenderedPage>;
};
