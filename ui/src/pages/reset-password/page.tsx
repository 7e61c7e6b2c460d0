// Behind a link for a new password. Nobody is logged in here: the link says who it is.
import { useQuery } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { failureOf } from '#/api/errors'
import { validateLink } from '#/api/passwordLink'
import { Mark } from '#/app/Brand'
import shell from '#/app/Shell.module.css'
import { loadTexts } from '#/i18n/areas'
import { useText } from '#/i18n/text'
import { Note } from '#/ui/Note'
import styles from '../login/login.module.css'
import { faultText } from './faultText'
import { PasswordForm } from './PasswordForm'

export const loader = () => loadTexts('reset')

export function ResetPasswordPage() {
  const t = useText()
  const { token } = useParams({ from: '/reset-password/$token' })
  const { tenant = '' } = useSearch({ from: '/reset-password/$token' })
  const { error, isPending } = useQuery({
    queryKey: ['password-link', token],
    queryFn: () => validateLink({ token, tenant }).then(() => true),
    retry: false,
    gcTime: 0,
  })
  useEffect(() => {
    document.title = `${t('reset.title')} – Octavo`
  }, [t])
  return (
    <main className={styles.login}>
      <div className={styles.column}>
        <div className={`${shell.brand} ${styles.brand}`}>
          <Mark />
          Octavo
        </div>
        {error ? (
          <>
            <h1>{t('reset.title')}</h1>
            <Note kind="blocked" alert>
              <p>
                <strong>{t('reset.over')}</strong> {faultText(failureOf(error), t)}
              </p>
            </Note>
          </>
        ) : isPending ? null : (
          <PasswordForm link={{ token, tenant }} />
        )}
      </div>
    </main>
  )
}
