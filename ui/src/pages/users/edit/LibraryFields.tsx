// Card, group, validity: what the library decides by.
import { useLoaded } from '#/api/query'
import { useText } from '#/i18n/text'
import { departmentsQuery, groupsQuery } from '#/patrons/queries'
import { Checkbox } from '#/ui/Checkbox'
import { DateField } from '#/ui/DateField'
import { Fields } from '#/ui/Fields'
import { Select } from '#/ui/Select'
import { TextField } from '#/ui/TextField'
import type { PartProps } from './UserForm'

const DAY_MS = 24 * 3600_000

export function LibraryFields({ user, faults, change }: PartProps) {
  const t = useText()
  const groups = useLoaded(groupsQuery)
  const departments = useLoaded(departmentsQuery)
  const chooseGroup = (id: string) => {
    const days = groups.find((one) => one.id === id)?.expirationOffsetInDays
    // The group's usual validity, where nobody has set one.
    const expirationDate =
      user.expirationDate ?? (days ? new Date(Date.now() + days * DAY_MS).toISOString() : undefined)
    change({ patronGroup: id, expirationDate })
  }
  const toggle = (id: string, on: boolean) => {
    const others = (user.departments ?? []).filter((one) => one !== id)
    change({ departments: on ? [...others, id] : others })
  }
  return (
    <>
      <Fields>
        <TextField
          id="barcode"
          label={t('users.barcode')}
          value={user.barcode ?? ''}
          onChange={(barcode) => change({ barcode })}
          error={faults.barcode}
        />
        <Select
          label={t('users.group')}
          value={user.patronGroup}
          choices={groups.map((one) => ({ value: one.id, text: one.group }))}
          onChange={chooseGroup}
          placeholder={t('users.chooseGroup')}
        />
        <DateField
          label={t('users.expires')}
          endOfDay
          value={user.expirationDate}
          onChange={(expirationDate) => change({ expirationDate })}
        />
        <DateField
          label={t('users.enrolled')}
          value={user.enrollmentDate}
          onChange={(enrollmentDate) => change({ enrollmentDate })}
        />
        <TextField
          id="username"
          label={t('users.username')}
          help={t('users.usernameHelp')}
          value={user.username ?? ''}
          onChange={(username) => change({ username })}
          error={faults.username}
        />
        <TextField
          id="externalSystemId"
          label={t('users.externalId')}
          value={user.externalSystemId ?? ''}
          onChange={(externalSystemId) => change({ externalSystemId })}
          error={faults.externalSystemId}
        />
        <Select
          label={t('users.type')}
          value={user.type}
          choices={['patron', 'staff', 'dcb', 'shadow', 'system']
            .filter((one) => one === 'patron' || one === 'staff' || one === user.type)
            .map((one) => ({
              value: one,
              text: one === 'patron' || one === 'staff' ? t(`users.type.${one}`) : one,
            }))}
          onChange={(type) => change({ type })}
        />
      </Fields>
      <Checkbox checked={user.active === true} onChange={(active) => change({ active })}>
        {t('users.isActive')}
      </Checkbox>
      {departments.length ? (
        <fieldset className="stack tight">
          <legend className="sm medium">{t('users.departments')}</legend>
          <div className="row wrap wide">
            {departments.map((one) => (
              <Checkbox
                key={one.id}
                checked={user.departments?.includes(one.id) === true}
                onChange={(on) => toggle(one.id, on)}
              >
                <bdi>{one.name}</bdi>
              </Checkbox>
            ))}
          </div>
        </fieldset>
      ) : null}
    </>
  )
}
