// Names of people as the desk writes them.
export interface Named {
  lastName?: string
  firstName?: string
  preferredFirstName?: string
}

export function fullName({ lastName, firstName, preferredFirstName }: Named): string {
  return [lastName, preferredFirstName || firstName].filter(Boolean).join(', ')
}

export function initials({ lastName, firstName }: Named): string {
  const first = (text?: string) => [...(text ?? '')][0]?.toUpperCase() ?? ''
  return `${first(firstName)}${first(lastName)}` || '?'
}

/** The code on the hold shelf: four letters of the last name, four figures of the card. No full name. */
export function shelfCode(lastName: string, barcode: string): string {
  const letters = [...lastName.normalize('NFC').replace(/[^\p{L}]/gu, '')].slice(0, 4).join('')
  return [letters.toUpperCase(), barcode.slice(-4)].filter(Boolean).join(' ')
}
