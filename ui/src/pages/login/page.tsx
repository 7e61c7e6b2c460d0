// Logging in: library (where there are several), name, password, desk.
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { featuresQuery } from '#/api/features'
import { useSession } from '#/api/useSession'
import { Mark } from '#/app/Brand'
import shell from '#/app/Shell.module.css'
import { useText } from '#/i18n/text'
import { ForgottenForm } from './ForgottenForm'
import { LanguageLinks } from './LanguageLinks'
import { LoginForm } from './LoginForm'
import styles from './login.module.css'

export function LoginPage() {
  const t = useText()
  const { next, forgot } = useSearch({ from: '/login' })
  const navigate = useNavigate()
  const state = useSession()
  const { data, isPending } = useQuery(featuresQuery)
  useEffect(() => {
    document.title = `${t(forgot ? 'login.forgotten' : 'login.title')} – Octavo`
  }, [t, forgot])
  useEffect(() => {
    // Also when the person logs in in another tab.
    if (state === 'open') navigate({ href: `/staff${next ?? '/'}`, replace: true })
  }, [state, next, navigate])
  return (
    <main className={styles.login}>
      <div className={styles.column}>
        <div className={`${shell.brand} ${styles.brand}`}>
          <Mark />
          Octavo
        </div>
        {isPending ? null : forgot ? (
          <ForgottenForm installation={data} />
        ) : (
          <LoginForm installation={data} />
        )}
        <LanguageLinks />
      </div>
    </main>
  )
}
