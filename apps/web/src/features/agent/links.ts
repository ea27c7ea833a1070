/** The address that opens a mail to an owner; every character but the @ is encoded, so an address can add no headers. */
export function toMailLink(email: string): string {
  return `mailto:${email.split('@').map(encodeURIComponent).join('@')}`;
}

/** The address of an owner's website if it is one to link to, http or https; else undefined. */
export function toWebsiteLink(website: string | null): string | undefined {
  return website && /^https?:\/\//i.test(website) ? website : undefined;
}
