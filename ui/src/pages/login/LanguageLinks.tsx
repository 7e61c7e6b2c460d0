// The languages, each by its own name.
import { Fragment } from 'react'
import { LANGUAGES } from '#/i18n/languages'
import { changeLook, useLook } from '#/lib/look'
import styles from './login.module.css'

export function LanguageLinks() {
  const { language } = useLook()
  return (
    <p className={`${styles.languages} sm muted`}>
      {LANGUAGES.map(({ code, name }, at) => (
        <Fragment key={code}>
          {at ? <span aria-hidden="true">·</span> : null}
          {code === language ? (
            <span aria-current="true">{name}</span>
          ) : (
            <button type="button" lang={code} onClick={() => changeLook({ language: code })}>
              {name}
            </button>
          )}
        </Fragment>
      ))}
    </p>
  )
}
