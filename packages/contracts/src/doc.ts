export function doc(description: string, example: unknown, format?: string) {
  return { ...(format && { format }), description, examples: [example] };
}

export function timeDoc(description: string, example: string | null = '2026-11-24T14:00:00.000Z') {
  return doc(description, example, 'date-time');
}
