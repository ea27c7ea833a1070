/** The name of the product. */
export const BRAND = 'Agent Registry';

/** The largest directory whose lists are loaded at once; those of a larger one are loaded page by page. */
export const MAX_WHOLE_LIST = 2_000;

/** The message where registration is closed. */
export const REGISTRATION_CLOSED = 'Registrations are closed for now; please come back later';
