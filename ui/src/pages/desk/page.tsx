// Choice of the desk that this computer stands at.
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { desksQuery } from '#/api/desks'
import { queryClient, useLoaded } from '#/api/query'
import { useText } from '#/i18n/text'
import { chooseDesk, useDesk } from '#/lib/desk'
import { Button } from '#/ui/Button'
import { Empty } from '#/ui/Empty'
import { Head, page } from '#/ui/Page'
import { Select } from '#/ui/Select'
import styles from './desk-choice.module.css'

export const loader = () => queryClient.ensureQueryData(desksQuery)

export function DeskPage() {
  const t = useText()
  const desks = useLoaded(desksQuery)
  const current = useDesk()
  const { next } = useSearch({ from: '/shell/desk' })
  const navigate = useNavigate()
  const [id, setId] = useState(current?.id ?? (desks.length === 1 ? desks[0]?.id : undefined))
  const chosen = desks.find((desk) => desk.id === id)
  const go = () => {
    if (!chosen) return
    chooseDesk(chosen)
    navigate({ href: `/staff${next ?? '/'}` })
  }
  return (
    <>
      <Head title={t('shell.changeDesk')} />
      <div className={page.body}>
        {desks.length ? (
          <form
            className={styles.form}
            onSubmit={(event) => {
              event.preventDefault()
              go()
            }}
          >
            <Select
              label={t('shell.desk')}
              help={t('shell.deskHelp')}
              placeholder={t('shell.noDesk')}
              value={id}
              onChange={setId}
              autoFocus
              choices={desks.map((desk) => ({ value: desk.id, text: desk.name }))}
            />
            <div className="row">
              <Button
                kind="primary"
                type="submit"
                disabled={chosen ? undefined : t('shell.chooseFirst')}
              >
                {t('shell.workHere')}
              </Button>
            </div>
          </form>
        ) : (
          <Empty icon="map-pin" title={t('shell.noDesks')} text={t('shell.noDesksWhat')} />
        )}
      </div>
    </>
  )
}
