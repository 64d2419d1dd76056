"""What is known of a provider's key, in the doctor's words; one wording for app and command line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from model.auth import parse_auth_ref

if TYPE_CHECKING:
    from model.config.merge import Provider
    from model.snapshot import Snapshot


def key_words(snapshot: Snapshot, provider: Provider) -> str:
    """`key present`, `key absent`, `no key needed`, `offline answers`; never anything of the key itself.

    `key not checked` where an untrusted file says that it lies: nobody looks there.
    """
    if provider.auth_ref is None:
        return "no key needed" if provider.local else "key absent"
    untrusted = provider.provider_id in snapshot.given.untrusted
    ref, credentials = parse_auth_ref(provider.auth_ref), None if untrusted else snapshot.surroundings.credentials
    if not ref.needs_secret and ref.is_valid:
        return "no key needed" if not credentials or not credentials.is_offline(ref) else "offline answers"
    if credentials is None:
        return "key not checked"
    return "offline answers" if credentials.is_offline(ref) else f"key {credentials.state(ref).value}"
