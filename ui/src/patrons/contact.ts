// FOLIO's ids of the ways to reach somebody.
import type { TextId } from '#/i18n/text'

export const CONTACTS: readonly { value: string; text: TextId }[] = [
  { value: '002', text: 'users.contact.email' },
  { value: '001', text: 'users.contact.mail' },
  { value: '003', text: 'users.contact.text' },
  { value: '004', text: 'users.contact.phone' },
  { value: '005', text: 'users.contact.mobile' },
]
