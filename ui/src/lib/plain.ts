// The words of HTML.

/** Notes are HTML written by staff; the card shows their words. */
export function plain(html: string): string {
  return new DOMParser().parseFromString(html, 'text/html').body.textContent?.trim() ?? ''
}
