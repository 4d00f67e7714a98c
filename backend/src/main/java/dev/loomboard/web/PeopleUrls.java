package dev.loomboard.web;

/** The paths of what concerns people: signing in and up, their accounts, the workspaces that they belong to. */
public final class PeopleUrls {

    private PeopleUrls() {}

    public static String signIn() {
        return "/sign-in";
    }

    /** Sign in, then go on to {@code path}, which must be one of our own. */
    public static String signInThen(String path) {
        return "/sign-in?next=" + Urls.encode(path);
    }

    /** Sign in after what {@code after} names, of which the page says a word; then on to {@code path}. */
    public static String signInAfter(String after, String path) {
        return "/sign-in?after=" + Urls.encode(after) + "&next=" + Urls.encode(path);
    }

    /** The second step of signing in. */
    public static String signInCode(String next) {
        return "/sign-in/code?next=" + Urls.encode(next);
    }

    public static String signInCode() {
        return "/sign-in/code";
    }

    /** To the provider, then on to {@code path}, which must be one of our own. */
    public static String openId(String path) {
        return "/sign-in/openid?next=" + Urls.encode(path);
    }

    /** Where the provider sends browsers back to. */
    public static String openIdCallback() {
        return "/sign-in/openid/callback";
    }

    /** Linking an account with the provider. */
    public static String openIdAccount() {
        return "/account/openid";
    }

    /** The same page after a change, of which it says a word. */
    public static String openIdAccountAfter(String changed) {
        return openIdAccount() + "?changed=" + Urls.encode(changed);
    }

    public static String openIdUnlink() {
        return openIdAccount() + "/unlink";
    }

    /** To the provider, who asks for proof again; then on to {@code path}, which must be one of our own. */
    public static String openIdProve(String path) {
        return openIdAccount() + "/prove?next=" + Urls.encode(path);
    }

    public static String signUp() {
        return "/sign-up";
    }

    public static String signUpAsked() {
        return "/sign-up?asked=true";
    }

    /** Where a mailed link leads that proves an address. */
    public static String signUp(String token) {
        return "/sign-up/" + token;
    }

    public static String resetPassword() {
        return "/reset-password";
    }

    public static String resetPasswordAsked() {
        return "/reset-password?asked=true";
    }

    /** Where a link to a new password leads. */
    public static String resetPassword(String token) {
        return "/reset-password/" + token;
    }

    public static String signOut() {
        return "/sign-out";
    }

    public static String setup(String token) {
        return "/setup/" + token;
    }

    public static String account() {
        return "/account";
    }

    /** The account's page after a change, of which it says a word. */
    public static String accountAfter(String changed) {
        return "/account?changed=" + Urls.encode(changed);
    }

    public static String password() {
        return "/account/password";
    }

    public static String revokeSession(String id) {
        return "/account/sessions/" + id + "/revoke";
    }

    public static String revokeOtherSessions() {
        return "/account/sessions/revoke-others";
    }

    public static String twoStep() {
        return "/account/two-step";
    }

    public static String confirmTwoStep() {
        return "/account/two-step/confirm";
    }

    public static String disableTwoStep() {
        return "/account/two-step/disable";
    }

    /** All that names the person who asks. */
    public static String accountExport() {
        return "/account/export.json";
    }

    public static String deleteAccount() {
        return "/account/delete";
    }

    /** Where a person chooses mails. */
    public static String mails() {
        return "/account/mails";
    }

    /** The same page after a change, of which it says a word. */
    public static String mailsAfter(String changed) {
        return mails() + "?changed=" + Urls.encode(changed);
    }

    public static String testMail() {
        return mails() + "/test";
    }

    /** Where a mail's own link leads that ends such mails. */
    public static String unsubscribe(String signed) {
        return "/unsubscribe/" + signed;
    }

    public static String tokens() {
        return "/account/tokens";
    }

    public static String revokeToken(String id) {
        return "/account/tokens/" + id + "/revoke";
    }

    /** Make an account, then go on to {@code path}, which must be one of our own. */
    public static String signUpThen(String path) {
        return signUp() + "?next=" + Urls.encode(path);
    }

    public static String workspaces() {
        return "/workspaces";
    }

    public static String chooseWorkspace() {
        return "/workspaces/choose";
    }

    /** A workspace's page with all of every list. */
    public static String wholeWorkspace(String slug) {
        return workspace(slug) + "?all=true";
    }

    public static String workspace(String slug) {
        return "/w/" + slug;
    }

    public static String workspaceSettings(String slug) {
        return workspace(slug) + "/settings";
    }

    public static String workspaceVisibility(String slug) {
        return workspace(slug) + "/visibility";
    }

    public static String deleteWorkspace(String slug) {
        return workspace(slug) + "/delete";
    }

    public static String leaveWorkspace(String slug) {
        return workspace(slug) + "/leave";
    }

    public static String members(String slug) {
        return workspace(slug) + "/members";
    }

    /** @param account external id of the member */
    public static String memberRole(String slug, String account) {
        return members(slug) + "/" + account + "/role";
    }

    public static String removeMember(String slug, String account) {
        return members(slug) + "/" + account + "/remove";
    }

    public static String webhooks(String slug) {
        return workspace(slug) + "/webhooks";
    }

    /** The same page after a change, of which it says a word. */
    public static String webhooksAfter(String slug, String changed) {
        return webhooks(slug) + "?changed=" + Urls.encode(changed);
    }

    public static String removeWebhook(String slug, String id) {
        return webhooks(slug) + "/" + id + "/remove";
    }

    public static String testWebhook(String slug, String id) {
        return webhooks(slug) + "/" + id + "/test";
    }

    /** @param message external id of one that was given up */
    public static String sendAgain(String slug, String message) {
        return webhooks(slug) + "/messages/" + message + "/again";
    }

    public static String invitations(String slug) {
        return workspace(slug) + "/invitations";
    }

    public static String revokeInvitation(String slug, String id) {
        return invitations(slug) + "/" + id + "/revoke";
    }

    /**
     * The link that one sends to whom one invites.
     *
     * @param token its secret
     */
    public static String invitation(String token) {
        return "/invitations/" + token;
    }
}
