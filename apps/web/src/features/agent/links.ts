/** Builds a mailto link. Every character but the @ is encoded, so that an address cannot add headers. */
export function toMailLink(email: string): string {
  return `mailto:${email.split('@').map(encodeURIComponent).join('@')}`;
}

/** The website if it is safe to link to (a valid http or https address), else undefined. */
export function toWebsiteLink(website: string | null): string | undefined {
  return website && /^https?:\/\//i.test(website) && URL.canParse(website) ? website : undefined;
}
