/** What becomes of a registration: it is listed at once, waits for its release by the operator, or is refused. */
export type RegistrationMode = 'open' | 'held' | 'closed';

/** The status of the response to a registration or an edit that waits for review, and to a read of such a version. */
export const HELD_STATUS = 202;
export const REFUSAL_HEADER = 'X-Refusal-Reason';
export const REGISTRATION_CLOSED = 'Registration is closed. Try again later';
/** What the owner of an agent reads whose registration is held. */
export const REGISTRATION_HELD = 'It waits for the review of the registry’s operator and is not listed yet.';
/** Longest reason of an operator's action, in characters as people see them. */
export const MAX_REASON_LENGTH = 500;
export const agentStates = ['listed', 'held', 'refused', 'hidden', 'withdrawn'] as const;

export type AgentState = (typeof agentStates)[number];
