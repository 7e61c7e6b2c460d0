// How a batch group's exports are uploaded, and by which name and password. The password is sent, never shown.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { RecordCard } from '#/acquisitions/form/RecordCard'
import { keepSecret, type Secret } from '#/acquisitions/secret'
import { useChoices, useWord } from '#/acquisitions/words'
import { post, put } from '#/api/client'
import { useText } from '#/i18n/text'
import type { Spec } from '#/inventory/form/specs'
import { useFormats } from '#/lib/format'
import { useNeeds } from '#/lib/permissions'
import { Button } from '#/ui/Button'
import { Description } from '#/ui/Description'
import { Section } from '#/ui/Section'
import { CONFIGURATIONS, configurationQuery, type Configuration as Stored } from './exports'

const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
const STEM = 'batch-voucher.export-configurations'

export function Configuration({ groupId }: { groupId: string }) {
  const t = useText()
  const word = useWord()
  const choices = useChoices()
  const { list } = useFormats()
  const { data } = useQuery(configurationQuery(groupId))
  const [task, setTask] = useState<'edit' | 'secret'>()
  const write = useNeeds(`${STEM}.item.${data ? 'put' : 'post'}`)
  const secret = useNeeds(`${STEM}.credentials.item.put`)
  if (data === undefined) return null
  const fields: Spec[] = [
    {
      name: 'format',
      label: t('acq.format'),
      kind: 'choice',
      choices: choices(['Application/json', 'Application/xml']),
      needed: true,
    },
    { name: 'enableScheduledExport', label: t('fin.scheduled'), kind: 'flag' },
    { name: 'startTime', label: t('fin.startTime'), kind: 'text' },
    { name: 'weekdays', label: t('fin.weekdays'), kind: 'ids', choices: choices(DAYS) },
    {
      name: 'ftpFormat',
      label: t('fin.protocol'),
      kind: 'choice',
      choices: choices(['SFTP', 'FTP']),
    },
    { name: 'uploadURI', label: t('fin.uploadUri'), kind: 'text' },
    { name: 'ftpPort', label: t('fin.port'), kind: 'number' },
    { name: 'uploadDirectory', label: t('fin.directory'), kind: 'text' },
  ]
  const keep = (next: Stored) => {
    const body = { ...next, enableScheduledExport: next.enableScheduledExport === true }
    return data ? put(`${CONFIGURATIONS}/${data.id}`, body) : post(CONFIGURATIONS, body)
  }
  return (
    <Section
      title={t('fin.upload')}
      acts={
        <>
          <Button
            small
            icon="lock"
            disabled={secret.reason ?? (data ? undefined : t('fin.configureFirst'))}
            onPress={() => setTask('secret')}
          >
            {t('fin.setCredentials')}
          </Button>
          <Button small icon="pencil" disabled={write.reason} onPress={() => setTask('edit')}>
            {t('fin.configure')}
          </Button>
        </>
      }
    >
      {task === 'edit' ? (
        <RecordCard<Stored>
          title={t('fin.configure')}
          record={data ?? ({ batchGroupId: groupId, format: 'Application/json' } as Stored)}
          fields={fields}
          stored={data ? `${CONFIGURATIONS}/${data.id}` : undefined}
          save={keep}
          onClose={() => setTask(undefined)}
        />
      ) : null}
      {task === 'secret' && data ? (
        <RecordCard<Secret>
          title={t('fin.setCredentials')}
          text={t('fin.credentialsWhat')}
          record={{}}
          fields={[
            { name: 'username', label: t('fin.userName'), kind: 'text', needed: true },
            { name: 'password', label: t('fin.password'), kind: 'secret', needed: true },
          ]}
          save={(next) =>
            keepSecret(`${CONFIGURATIONS}/${data.id}/credentials`, {
              ...next,
              exportConfigId: data.id,
            })
          }
          onClose={() => setTask(undefined)}
        />
      ) : null}
      {data ? (
        <Description
          lines={[
            [t('acq.format'), word(data.format)],
            [
              t('fin.scheduled'),
              data.enableScheduledExport
                ? [data.startTime, data.weekdays?.length && list(data.weekdays.map(word))]
                    .filter(Boolean)
                    .join(' · ')
                : t('fin.no'),
            ],
            [t('fin.protocol'), word(data.ftpFormat)],
            [t('fin.uploadUri'), data.uploadURI],
            [t('fin.port'), data.ftpPort && String(data.ftpPort)],
            [t('fin.directory'), data.uploadDirectory],
          ]}
        />
      ) : (
        <p className="sm muted">{t('fin.notConfigured')}</p>
      )}
    </Section>
  )
}
