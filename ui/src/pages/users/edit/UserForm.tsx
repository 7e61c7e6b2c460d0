// The form of a user. Values that other systems set and this form does not show stay as they are.
import { type FormEvent, useEffect } from 'react'
import type { Failure } from '#/api/errors'
import { same } from '#/forms/differences'
import { FaultNote } from '#/forms/FaultNote'
import { LeaveGuard } from '#/forms/LeaveGuard'
import { type Faults, useForm } from '#/forms/useForm'
import { useText } from '#/i18n/text'
import { useCommands } from '#/keys/useCommands'
import type { Patron } from '#/patrons/types'
import { Button } from '#/ui/Button'
import { Part } from '#/ui/Fields'
import { AddressFields } from './AddressFields'
import { ContactFields } from './ContactFields'
import { CustomFields } from './CustomFields'
import { missing } from './faults'
import { LibraryFields } from './LibraryFields'
import { PersonFields } from './PersonFields'
import styles from './user-form.module.css'

interface Props {
  record: Patron
  /** What it is compared with for "changed". */
  pristine: Patron
  busy: boolean
  failure: Failure | undefined
  /** The server's, by field. */
  faults: Faults
  isSaved: () => boolean
  onSave: (record: Patron) => void
  onClose: () => void
}

export interface PartProps {
  user: Patron
  faults: Faults
  change: (patch: Partial<Patron>) => void
  changePersonal: (patch: Partial<Patron['personal']>) => void
}

export function UserForm(props: Props) {
  const { record, pristine, busy, failure, faults: told, isSaved, onSave, onClose } = props
  const t = useText()
  const form = useForm(record)
  const { values, faults, setFaults } = form
  useEffect(() => setFaults(told), [told, setFaults])
  const save = () => {
    const found = missing(values, t)
    setFaults(found)
    if (Object.keys(found).length === 0 && !busy) onSave(tidied(values))
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save()
  }
  useCommands([
    { id: 'forms.save', title: 'forms.save', group: 'page', keys: 'Mod+S', run: save },
    { id: 'forms.back', title: 'forms.back', group: 'page', keys: 'Esc', run: onClose },
  ])
  const changePersonal = (patch: Partial<Patron['personal']>) => {
    form.change({ personal: { ...values.personal, ...patch } })
    setFaults(Object.fromEntries(Object.entries(faults).filter(([name]) => !(name in patch))))
  }
  const parts: PartProps = { user: values, faults, change: form.change, changePersonal }
  return (
    <form className={styles.form} onSubmit={submit} noValidate aria-label={t('users.record')}>
      <LeaveGuard isDirty={() => !isSaved() && !same(values, pristine)} />
      <FaultNote faults={faults} failure={failure} />
      <Part title={t('users.personPart')}>
        <PersonFields {...parts} />
      </Part>
      <Part title={t('users.libraryPart')}>
        <LibraryFields {...parts} />
      </Part>
      <Part title={t('users.contactPart')}>
        <ContactFields {...parts} />
      </Part>
      <Part title={t('users.addresses')}>
        <AddressFields {...parts} />
      </Part>
      <CustomFields {...parts} />
      <div className={styles.foot}>
        <Button kind="primary" type="submit" keys="Mod+S" busy={busy}>
          {t('forms.save')}
        </Button>
        <Button kind="quiet" keys="Esc" onPress={onClose}>
          {t('forms.back')}
        </Button>
      </div>
    </form>
  )
}

/** Empty texts are no values; FOLIO would keep them, and find two people with the empty barcode. */
function tidied(user: Patron): Patron {
  const personal = withoutEmpty(user.personal)
  return {
    ...withoutEmpty(user),
    personal: { ...personal, lastName: user.personal.lastName.trim() },
  }
}

function withoutEmpty<T extends object>(value: T): T {
  const kept = Object.entries(value).filter(([, one]) => one !== undefined && one !== '')
  return Object.fromEntries(kept) as T
}
