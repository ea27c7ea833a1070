/** A source that cannot be synchronised; the message is a sentence for the operator. */
export class SourceError extends Error {}
