package dev.pawl.testkit.contract;

/** What a store must do that lies in a database: all of {@link StoreContract}, and transactions with the user's statements. */
public abstract class SqlStoreContract extends StoreContract implements TransactContract {
}
