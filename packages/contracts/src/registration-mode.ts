/** What becomes of a registration: it is listed at once, waits for its release by the operator, or is refused. */
export type RegistrationMode = 'open' | 'held' | 'closed';

/** The status of the response to a registration that is held. */
export const HELD_STATUS = 202;

/** The message, without its full stop, while registration is closed. */
export const REGISTRATION_CLOSED = 'Registration is closed. Try again later';

/** What the owner of an agent reads whose registration is held. */
export const REGISTRATION_HELD = 'It waits for the review of the registry’s operator and is not listed yet.';
