package dev.pawl.kernel.lifecycle;

/** What can happen to one action of an action list. */
public enum ActionEvent {
    DISPATCH, AWAIT_PERSON, SUCCEED, FAIL, CANCEL
}
