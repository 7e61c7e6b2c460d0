// The libraries of this installation; the person's own is marked.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { session } from '#/api/session'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { Badge } from '#/ui/Badge'
import { Button } from '#/ui/Button'
import { Code } from '#/ui/Code'
import { Failed } from '#/ui/Failed'
import { tenantsQuery } from '#/workbench/server'
import { Refused } from './Refused'
import styles from './workbench.module.css'

const FEW = 12

export function Tenants() {
  const t = useText()
  const { number } = useFormats()
  const { data, error, refetch } = useQuery(tenantsQuery)
  const [all, setAll] = useState(false)
  const tenants = data?.state === 'there' ? data.data : []
  return (
    <section className="stack" aria-labelledby="bench-tenants">
      <h2 id="bench-tenants">{t('bench.tenants')}</h2>
      {error ? <Failed error={error} retry={() => void refetch()} /> : null}
      <Refused of={data} missing={t('bench.noRoute')} />
      <ul>
        {(all ? tenants : tenants.slice(0, FEW)).map((one) => (
          <li key={one.id} className={styles.line}>
            <bdi>{one.name ?? one.id}</bdi>
            {one.name && one.name !== one.id ? <Code plain>{one.id}</Code> : null}
            {one.id === session.tenant ? <Badge push>{t('bench.yours')}</Badge> : null}
          </li>
        ))}
      </ul>
      {tenants.length > FEW && !all ? (
        <div className="row">
          <Button kind="quiet" small onPress={() => setAll(true)}>
            {t('list.all', { count: number(tenants.length) })}
          </Button>
        </div>
      ) : null}
    </section>
  )
}
