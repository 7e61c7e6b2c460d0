// What is known about the user: record, contact, addresses, custom fields, proxies and service points.
import { useQuery } from '@tanstack/react-query'
import { type TextId, useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { CONTACTS } from '#/patrons/contact'
import { addressTypesQuery, customFieldsQuery, departmentsQuery } from '#/patrons/queries'
import type { Address, CustomField, CustomValue, Patron } from '#/patrons/types'
import { Code } from '#/ui/Code'
import { Description, type Line } from '#/ui/Description'
import { Picture } from './Picture'
import { Proxies } from './Proxies'
import styles from './record.module.css'
import { ServicePoints } from './ServicePoints'

interface Props {
  user: Patron
  group: string | undefined
  title: string
}

export function Details({ user, group, title }: Props) {
  const t = useText()
  const { day } = useFormats()
  const { data: departments } = useQuery(departmentsQuery)
  const { data: fields } = useQuery(customFieldsQuery)
  const { data: addressTypes } = useQuery(addressTypesQuery)
  const { personal } = user
  const code = (text: string | undefined) => (text ? <Code>{text}</Code> : undefined)
  const date = (text: string | undefined) => (text ? day(text) : undefined)
  const contact = CONTACTS.find((one) => one.value === personal.preferredContactTypeId)
  const custom = (fields ?? []).map(
    (one): Line => [one.name, shownValue(one, user.customFields?.[one.refId], t, day)],
  )
  return (
    <section className={styles.lines} aria-label={title}>
      <Group title={t('users.record')}>
        <Description
          lines={[
            [t('users.lastName'), personal.lastName],
            [t('users.firstName'), personal.firstName],
            [t('users.middleName'), personal.middleName],
            [t('users.preferredName'), personal.preferredFirstName],
            [t('users.pronouns'), personal.pronouns],
            [t('users.barcode'), code(user.barcode)],
            [t('users.username'), user.username],
            [t('users.externalId'), code(user.externalSystemId)],
            [t('users.group'), group],
            [t('users.status'), user.active ? t('users.active') : t('users.inactive')],
            [t('users.expires'), date(user.expirationDate)],
            [t('users.enrolled'), date(user.enrollmentDate)],
            [t('users.type'), user.type],
            [t('users.born'), date(personal.dateOfBirth)],
            [
              t('users.departments'),
              (user.departments ?? [])
                .map((id) => departments?.find((one) => one.id === id)?.name)
                .filter(Boolean)
                .join(', '),
            ],
            [t('users.changed'), date(user.metadata?.updatedDate)],
          ]}
        />
      </Group>
      <div className="stack far">
        <Picture user={user} />
        <Group title={t('users.contactPart')}>
          <Description
            lines={[
              [t('users.email'), personal.email],
              [t('users.phone'), personal.phone],
              [t('users.mobile'), personal.mobilePhone],
              [t('users.preferredContact'), contact ? t(contact.text) : undefined],
              ...(personal.addresses ?? []).map(
                (one): Line => [
                  addressTypes?.find((type) => type.id === one.addressTypeId)?.addressType ??
                    t('users.address'),
                  addressText(one),
                ],
              ),
            ]}
          />
        </Group>
        {custom.some(([, value]) => value) ? (
          <Group title={t('users.customFields')}>
            <Description lines={custom} />
          </Group>
        ) : null}
        <Proxies userId={user.id} />
        <ServicePoints userId={user.id} />
      </div>
    </section>
  )
}

export function Group({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <section className="stack" aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  )
}

function addressText(one: Address): string {
  const town = [one.postalCode, one.city].filter(Boolean).join(' ')
  return [one.addressLine1, one.addressLine2, town, one.region, one.countryId]
    .filter(Boolean)
    .join(', ')
}

function shownValue(
  field: CustomField,
  value: CustomValue,
  t: (id: TextId) => string,
  day: (when: string) => string,
): string | undefined {
  if (value === undefined) return undefined
  if (typeof value === 'boolean') return value ? t('users.yes') : t('users.no')
  const nameOf = (id: string) =>
    field.selectField?.options?.values?.find((one) => one.id === id)?.value ?? id
  if (Array.isArray(value)) return value.map(nameOf).join(', ')
  if (field.type === 'DATE_PICKER') return day(value)
  return field.selectField ? nameOf(value) : value
}
