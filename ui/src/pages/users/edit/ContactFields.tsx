// How the person is reached.
import { useText } from '#/i18n/text'
import { CONTACTS } from '#/patrons/contact'
import { Fields } from '#/ui/Fields'
import { Select } from '#/ui/Select'
import { TextField } from '#/ui/TextField'
import type { PartProps } from './UserForm'

export function ContactFields({ user, faults, changePersonal }: PartProps) {
  const t = useText()
  const { personal } = user
  return (
    <Fields>
      <TextField
        id="email"
        label={t('users.email')}
        type="email"
        value={personal.email ?? ''}
        onChange={(email) => changePersonal({ email })}
        error={faults.email}
      />
      <TextField
        label={t('users.phone')}
        type="tel"
        value={personal.phone ?? ''}
        onChange={(phone) => changePersonal({ phone })}
      />
      <TextField
        label={t('users.mobile')}
        type="tel"
        value={personal.mobilePhone ?? ''}
        onChange={(mobilePhone) => changePersonal({ mobilePhone })}
      />
      <Select
        label={t('users.preferredContact')}
        value={personal.preferredContactTypeId}
        choices={CONTACTS.map((one) => ({ value: one.value, text: t(one.text) }))}
        onChange={(preferredContactTypeId) => changePersonal({ preferredContactTypeId })}
      />
    </Fields>
  )
}
