// The people of an organization; a new one is added in place.
import { useState } from 'react'
import { Refused } from '#/acquisitions/Refused'
import type { Contact, Organization } from '#/acquisitions/types'
import { useAct } from '#/forms/useAct'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { fullName } from '#/lib/names'
import { useNeeds } from '#/lib/permissions'
import { Button } from '#/ui/Button'
import { ConfirmCard } from '#/ui/ConfirmCard'
import { Failed } from '#/ui/Failed'
import { Fields } from '#/ui/Fields'
import { Section } from '#/ui/Section'
import { type Column, rowsOf, Table } from '#/ui/Table'
import { TextField } from '#/ui/TextField'
import { addLinked, useLinked } from './useLinked'

const EMPTY = { firstName: '', lastName: '', email: '', phone: '', notes: '' }

export function Contacts({ organization }: { organization: Organization }) {
  const t = useText()
  const { number } = useFormats()
  const { data, error, refetch } = useLinked<Contact>('contacts', organization)
  const { reason } = useNeeds('organizations-storage.contacts.item.post')
  const act = useAct()
  const [values, setValues] = useState<typeof EMPTY>()
  const [tried, setTried] = useState(false)
  const fault = (name: 'firstName' | 'lastName') =>
    tried && !values?.[name].trim() ? t('acq.fillIt') : undefined
  const save = async () => {
    setTried(true)
    if (!values?.firstName.trim() || !values.lastName.trim()) return
    const { email, phone, ...rest } = values
    const done = await act.run(() =>
      addLinked('contacts', organization, {
        ...rest,
        emails: email.trim() ? [{ value: email.trim(), isPrimary: true }] : [],
        phoneNumbers: phone.trim() ? [{ phoneNumber: phone.trim(), isPrimary: true }] : [],
      }),
    )
    if (done) setValues(undefined)
  }
  const field = (name: keyof typeof EMPTY, label: string, needed?: 'firstName' | 'lastName') => (
    <TextField
      label={label}
      value={values?.[name] ?? ''}
      mark={needed ? 'needed' : undefined}
      error={needed && fault(needed)}
      onChange={(value) => setValues({ ...(values ?? EMPTY), [name]: value })}
    />
  )
  const columns: Column<Contact>[] = [
    { id: 'name', title: t('acq.name'), kind: 'main', cell: (one) => <bdi>{fullName(one)}</bdi> },
    {
      id: 'email',
      title: t('acq.emails'),
      width: 15,
      cell: (one) => <bdi>{one.emails?.map(({ value }) => value).join(', ')}</bdi>,
    },
    {
      id: 'phone',
      title: t('acq.phones'),
      width: 12,
      cell: (one) => <bdi>{one.phoneNumbers?.map((of) => of.phoneNumber).join(', ')}</bdi>,
    },
    {
      id: 'notes',
      title: t('acq.note'),
      width: 12,
      soft: true,
      wide: true,
      cell: (one) => <bdi>{one.notes}</bdi>,
    },
  ]
  const contacts = data ?? []
  return (
    <Section
      title={t('acq.contacts')}
      count={number(organization.contacts?.length ?? 0)}
      acts={
        <Button small icon="plus" disabled={reason} onPress={() => setValues(EMPTY)}>
          {t('acq.addContact')}
        </Button>
      }
    >
      {values ? (
        <ConfirmCard
          title={t('acq.addContact')}
          act={t('forms.save')}
          busy={act.busy}
          onAct={() => void save()}
          onClose={() => setValues(undefined)}
        >
          <Refused failure={act.failure} />
          <Fields wide>
            {field('firstName', t('acq.firstName'), 'firstName')}
            {field('lastName', t('acq.lastName'), 'lastName')}
            {field('email', t('acq.email'))}
            {field('phone', t('acq.phone'))}
            {field('notes', t('acq.note'))}
          </Fields>
        </ConfirmCard>
      ) : null}
      {error ? <Failed error={error} retry={() => void refetch()} /> : null}
      {contacts.length ? (
        <Table
          label={t('acq.contacts')}
          columns={columns}
          rows={rowsOf(contacts)}
          keyOf={(one) => one.id}
          nameOf={fullName}
        />
      ) : organization.contacts?.length ? null : (
        <p className="sm muted">{t('acq.noContacts')}</p>
      )}
    </Section>
  )
}
