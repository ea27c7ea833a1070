/** The description of a property in documents, with its example. */
export function doc(description: string, example: unknown, format?: string) {
  return { ...(format && { format }), description, examples: [example] };
}

/** The description of a time in documents. */
export function timeDoc(description: string, example: string | null = '2026-11-24T14:00:00.000Z') {
  return doc(description, example, 'date-time');
}
