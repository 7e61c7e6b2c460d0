// Why a link or a password is not taken, in words; what is not known here in the server's own.
import { detailOf, type Failure } from '#/api/errors'
import type { Text, TextId } from '#/i18n/text'

const CODES: Record<string, TextId> = {
  'link.expired': 'reset.expired',
  'link.used': 'reset.used',
  'link.invalid': 'reset.used',
  'password.length.invalid': 'reset.weak.length',
  'password.alphabetical.invalid': 'reset.weak.letters',
  'password.number.invalid': 'reset.weak.figure',
  'password.specialCharacter.invalid': 'reset.weak.sign',
  'password.usernameDuplicate.invalid': 'reset.weak.name',
  'password.keyboardSequence.invalid': 'reset.weak.sequence',
  'password.repeatingSymbols.invalid': 'reset.weak.repeat',
  'password.whiteSpace.invalid': 'reset.weak.blank',
  'password.consecutiveWhitespaces.invalid': 'reset.weak.blank',
  'password.lastTenPasswords.invalid': 'reset.weak.before',
  'password.compromised.invalid': 'reset.weak.known',
}

export function faultText(failure: Failure, t: Text): string {
  if (failure.kind === 'refused')
    return failure.errors
      .map(({ code = '', message }) => {
        const id = CODES[code]
        return id ? t(id) : message
      })
      .join(' ')
  // Without a valid token the server does not say more.
  if (failure.kind === 'expired' || failure.kind === 'forbidden') return t('reset.used')
  return `${t(`shell.failure.${failure.kind}`)} ${detailOf(failure)}`.trim()
}
