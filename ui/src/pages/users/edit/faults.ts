// What the server refuses, at the field that it is about. A POST answers FOLIO's list of errors, a PUT a text.
import { detailOf, type Failure } from '#/api/errors'
import type { Faults } from '#/forms/useForm'
import type { Text, TextId } from '#/i18n/text'

const FIELDS: readonly [RegExp, string, TextId][] = [
  [/username already exists/i, 'username', 'users.takenUsername'],
  [/barcode has already been taken/i, 'barcode', 'users.takenBarcode'],
  [/external_?system_?id/i, 'externalSystemId', 'users.takenExternalId'],
]

export function faultsOf(failure: Failure, t: Text): Faults {
  if (failure.kind !== 'refused' && failure.kind !== 'fault') return {}
  const texts =
    failure.kind === 'refused'
      ? failure.errors.map((one) =>
          [one.message, ...one.parameters.map((each) => each.key)].join(' '),
        )
      : [detailOf(failure)]
  return Object.fromEntries(
    texts.flatMap((text) => {
      const found = FIELDS.find(([pattern]) => pattern.test(text))
      return found ? [[found[1], t(found[2])]] : []
    }),
  )
}

/** What the form itself can see. */
export function missing(
  record: { personal: { lastName: string; email?: string; preferredContactTypeId?: string } },
  t: Text,
): Faults {
  const { lastName, email } = record.personal
  return {
    ...(lastName.trim() ? {} : { lastName: t('users.typeLastName') }),
    ...(email && !/^\S+@\S+$/.test(email) ? { email: t('users.typeEmail') } : {}),
  }
}
