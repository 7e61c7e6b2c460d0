// Names, and what else belongs to the person.
import { useText } from '#/i18n/text'
import { DateField } from '#/ui/DateField'
import { Fields } from '#/ui/Fields'
import { TextField } from '#/ui/TextField'
import type { PartProps } from './UserForm'

export function PersonFields({ user, faults, changePersonal }: PartProps) {
  const t = useText()
  const { personal } = user
  return (
    <Fields>
      <TextField
        id="lastName"
        label={t('users.lastName')}
        mark="needed"
        value={personal.lastName}
        onChange={(lastName) => changePersonal({ lastName })}
        error={faults.lastName}
        autoFocus
      />
      <TextField
        label={t('users.firstName')}
        value={personal.firstName ?? ''}
        onChange={(firstName) => changePersonal({ firstName })}
      />
      <TextField
        label={t('users.middleName')}
        value={personal.middleName ?? ''}
        onChange={(middleName) => changePersonal({ middleName })}
      />
      <TextField
        label={t('users.preferredName')}
        help={t('users.preferredNameHelp')}
        value={personal.preferredFirstName ?? ''}
        onChange={(preferredFirstName) => changePersonal({ preferredFirstName })}
      />
      <TextField
        label={t('users.pronouns')}
        value={personal.pronouns ?? ''}
        onChange={(pronouns) => changePersonal({ pronouns })}
      />
      <DateField
        label={t('users.born')}
        value={personal.dateOfBirth}
        onChange={(dateOfBirth) => changePersonal({ dateOfBirth })}
      />
    </Fields>
  )
}
