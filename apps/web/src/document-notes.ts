import { LISTS_META, REGISTRATION_META } from '@agent-registry/contracts';

/** Whether the server has said in the document that the directory is too large to be read as one list. */
export function isDirectoryPaged(): boolean {
  return readNote(LISTS_META) === 'paged';
}

/** Whether the server has said in the document that nobody can register at present. */
export function isRegistrationClosed(): boolean {
  return readNote(REGISTRATION_META) === 'closed';
}

function readNote(name: string): string | undefined {
  return document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content;
}
