// The interfaces of an organization. Their credentials are asked for only when somebody wants to see them.
import { useState } from 'react'
import { Refused } from '#/acquisitions/Refused'
import type { Interface, Organization } from '#/acquisitions/types'
import { useAct } from '#/forms/useAct'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { useNeeds } from '#/lib/permissions'
import { Button } from '#/ui/Button'
import { ConfirmCard } from '#/ui/ConfirmCard'
import { Failed } from '#/ui/Failed'
import { Fields } from '#/ui/Fields'
import { Section } from '#/ui/Section'
import { type Column, rowsOf, Table } from '#/ui/Table'
import { TextField } from '#/ui/TextField'
import { Credentials } from './Credentials'
import { isWeb } from './Reached'
import { addLinked, useLinked } from './useLinked'

export function Interfaces({ organization }: { organization: Organization }) {
  const t = useText()
  const { number } = useFormats()
  const { data, error, refetch } = useLinked<Interface>('interfaces', organization)
  const { reason } = useNeeds('organizations-storage.interfaces.item.post')
  const act = useAct()
  const [values, setValues] = useState<{ name: string; uri: string; notes: string }>()
  const columns: Column<Interface>[] = [
    { id: 'name', title: t('acq.name'), kind: 'main', cell: ({ name }) => <bdi>{name}</bdi> },
    {
      id: 'uri',
      title: t('acq.uri'),
      width: 16,
      cell: ({ uri }) =>
        isWeb(uri) ? (
          <a href={uri} rel="noreferrer">
            <bdi>{uri}</bdi>
          </a>
        ) : (
          <bdi>{uri}</bdi>
        ),
    },
    {
      id: 'notes',
      title: t('acq.note'),
      width: 12,
      soft: true,
      wide: true,
      cell: ({ notes }) => <bdi>{notes}</bdi>,
    },
    {
      id: 'credentials',
      title: t('acq.credentials'),
      width: 16,
      cell: ({ id, name }) => <Credentials id={id} name={name ?? ''} />,
    },
  ]
  const save = async () => {
    const done = await act.run(() => addLinked('interfaces', organization, { ...values }))
    if (done) setValues(undefined)
  }
  const field = (name: 'name' | 'uri' | 'notes', label: string) => (
    <TextField
      label={label}
      value={values?.[name] ?? ''}
      onChange={(value) => setValues((before) => before && { ...before, [name]: value })}
    />
  )
  const interfaces = data ?? []
  return (
    <Section
      title={t('acq.interfaces')}
      count={number(organization.interfaces?.length ?? 0)}
      acts={
        <Button
          small
          icon="plus"
          disabled={reason}
          onPress={() => setValues({ name: '', uri: '', notes: '' })}
        >
          {t('acq.addInterface')}
        </Button>
      }
    >
      {values ? (
        <ConfirmCard
          title={t('acq.addInterface')}
          act={t('forms.save')}
          busy={act.busy}
          onAct={() => void save()}
          onClose={() => setValues(undefined)}
        >
          <Refused failure={act.failure} />
          <Fields wide>
            {field('name', t('acq.name'))}
            {field('uri', t('acq.uri'))}
            {field('notes', t('acq.note'))}
          </Fields>
        </ConfirmCard>
      ) : null}
      {error ? <Failed error={error} retry={() => void refetch()} /> : null}
      {interfaces.length ? (
        <Table
          label={t('acq.interfaces')}
          columns={columns}
          rows={rowsOf(interfaces)}
          keyOf={(one) => one.id}
          nameOf={(one) => one.name ?? ''}
        />
      ) : organization.interfaces?.length ? null : (
        <p className="sm muted">{t('acq.noInterfaces')}</p>
      )}
    </Section>
  )
}
